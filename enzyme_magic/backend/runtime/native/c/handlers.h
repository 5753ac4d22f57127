/* What raises.c asks of relays.c: the handlers of the program. */
typedef void (*handler)(int);
handler *handler_place(int number) __asm__("em.run.handler_place"); /* null: there is no such signal */
int is_caught(int number) __asm__("em.run.is_caught");
handler disposition(int number) __asm__("em.run.disposition"); /* of the process, without the program */
void call_handler(int number) __asm__("em.run.call_handler"); /* the program's, now */
