/* What every file of the project includes first: the standard names that are used everywhere, a few
 * attributes, and the list of functions that may not be used. It declares nothing that needs linking. */
#ifndef TS_BASE_PRELUDE_H
#define TS_BASE_PRELUDE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TS_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TS_PRINTF(at, first) __attribute__((format(printf, at, first)))
#define TS_NORETURN __attribute__((noreturn))

#include "base/banned.h"

#endif
