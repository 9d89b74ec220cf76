/* Functions that write without knowing how much room there is, or that hide their errors. Using one does
 * not compile. The C library's headers that declare them are included first, so only uses are caught. */
#ifndef TS_BASE_BANNED_H
#define TS_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Macros where the compiler lacks what glibc's fortified inline functions need (clang). */
#undef sprintf
#undef vsprintf

#pragma GCC poison strcpy strcat strncpy strncat stpcpy sprintf vsprintf gets strtok atoi atol atoll system

#endif
