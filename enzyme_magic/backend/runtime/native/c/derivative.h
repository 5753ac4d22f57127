/* What every file of this folder begins with. LLVM's names have dots, so each function is given its name by NAMED. */
typedef unsigned long word; /* of 64 bits, as i64 in the written derivatives */
#define NAMED(name) __asm__("em." name)

void *malloc(word);
void free(void *);
void run_bytes(const char *text, const char *file, int line) __asm__("em.run.bytes") __attribute__((noreturn, cold));
void run_kept(const char *text, const char *file, int line) __asm__("em.run.kept") __attribute__((noreturn, cold));
