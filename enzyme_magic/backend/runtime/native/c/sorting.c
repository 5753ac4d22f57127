/* The functions of the C library that call back a function of the program, with bodies (passes/library_bodies.py): a derivative follows
   what is written here, and nothing that is hidden in a library.

   What is sorted are the places of the elements. The elements themselves are moved once, as bytes, so that a derivative has to remember
   where each went and nothing else. Equal elements keep their order, as in glibc, whose sort is a merge sort too. */
#include "derivative.h"

/* Two neighbouring runs of `places`, [low, middle) and [middle, high), become one of `merged`. */
#define MERGE(LESS)                                                                                                                    \
    for (word left = low, right = middle, to = low; to < high; to++)                                                                   \
        if (left < middle && (right >= high || !(LESS)))                                                                               \
            merged[to] = places[left++];                                                                                               \
        else                                                                                                                           \
            merged[to] = places[right++];

#define SORT(LESS)                                                                                                                     \
    if (count < 2 || size == 0) return;                                                                                                \
    word *block = malloc(2 * count * sizeof(word)), *places = block, *merged = block + count;                                          \
    char *old = malloc(count * size);                                                                                                  \
    if (!block || !old) __builtin_trap();                                                                                              \
    for (word k = 0; k < count; k++) places[k] = k;                                                                                    \
    for (word width = 1; width < count; width *= 2) {                                                                                  \
        for (word low = 0; low < count; low += 2 * width) {                                                                            \
            word middle = low + width < count ? low + width : count;                                                                   \
            word high = middle + width < count ? middle + width : count;                                                               \
            MERGE(LESS)                                                                                                                \
        }                                                                                                                              \
        word *sorted = merged;                                                                                                         \
        merged = places;                                                                                                               \
        places = sorted;                                                                                                               \
    }                                                                                                                                  \
    __builtin_memcpy(old, base, count * size);                                                                                         \
    for (word k = 0; k < count; k++) __builtin_memcpy(base + k * size, old + places[k] * size, size);                                  \
    free(old);                                                                                                                         \
    free(block);

void sort(char *base, word count, word size, int (*order)(const void *, const void *)) NAMED("library.qsort");
void sort(char *base, word count, word size, int (*order)(const void *, const void *))
{
    SORT(order(base + places[right] * size, base + places[left] * size) < 0)
}

void sort_with(char *base, word count, word size, int (*order)(const void *, const void *, void *), void *more) NAMED("library.qsort_r");
void sort_with(char *base, word count, word size, int (*order)(const void *, const void *, void *), void *more)
{
    SORT(order(base + places[right] * size, base + places[left] * size, more) < 0)
}

void *search(const void *key, char *base, word count, word size, int (*order)(const void *, const void *)) NAMED("library.bsearch");
void *search(const void *key, char *base, word count, word size, int (*order)(const void *, const void *))
{
    for (word low = 0, high = count; low < high;) {
        word middle = (low + high) / 2;
        char *element = base + middle * size;
        int found = order(key, element);
        if (found == 0) return element;
        if (found < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
