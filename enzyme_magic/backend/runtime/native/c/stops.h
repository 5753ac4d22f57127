/* What signals.c asks of stops.c. */
void stop(int number, _Bool ours) __asm__("em.run.stop");
