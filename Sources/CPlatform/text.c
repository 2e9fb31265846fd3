// Columns of text. Any thread may call these.

#include "CPlatform.h"

#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static locale_t utf8_locale;
static pthread_once_t utf8_once = PTHREAD_ONCE_INIT;

static void find_utf8_locale(void) {
  static const char *const names[] = {"C.UTF-8", "en_US.UTF-8", "ja_JP.UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !utf8_locale; i++)
    utf8_locale = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
}

// Where the C library has no UTF-8 locale at all (a static build on a bare
// system), the blocks that matter are enough: columns stay straight for the
// scripts listed, and the terminal is told nothing it could misread.
static int width_without_locale(uint32_t scalar) {
  if (scalar < 0x20 || (scalar >= 0x7f && scalar < 0xa0)) return -1;
  if (scalar >= 0x300 && scalar <= 0x36f) return 0;
  if (scalar >= 0x200b && scalar <= 0x200f) return 0;
  if (scalar >= 0xfe00 && scalar <= 0xfe0f) return 0;
  if ((scalar >= 0x1100 && scalar <= 0x115f) || (scalar >= 0x2e80 && scalar <= 0x303e) ||
      (scalar >= 0x3041 && scalar <= 0xa4cf) || (scalar >= 0xac00 && scalar <= 0xd7a3) ||
      (scalar >= 0xf900 && scalar <= 0xfaff) || (scalar >= 0xfe30 && scalar <= 0xfe6f) ||
      (scalar >= 0xff00 && scalar <= 0xff60) || (scalar >= 0xffe0 && scalar <= 0xffe6) ||
      (scalar >= 0x1f300 && scalar <= 0x1faff) || (scalar >= 0x20000 && scalar <= 0x3fffd))
    return 2;
  return 1;
}

int platform_wcwidth(uint32_t scalar) {
  if (scalar >= 0x20 && scalar < 0x7f) return 1;
  pthread_once(&utf8_once, find_utf8_locale);
  if (!utf8_locale) return width_without_locale(scalar);
  locale_t before = uselocale(utf8_locale);
  int width = wcwidth((wchar_t)scalar);
  uselocale(before);
  return width;
}

int platform_assume_utf8(void) {
  return setlocale(LC_CTYPE, "C.UTF-8") || setlocale(LC_CTYPE, "en_US.UTF-8");
}

// Whether the environment asks for UTF-8, whether or not that locale is installed.
static int environment_names_utf8(void) {
  static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i]);
    if (value && *value) return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
  }
  return 0;
}

int platform_adopt_locale(void) {
  // ssh carries the locale's name from a machine that has it to one that may not; what the terminal
  // at the other end shows is UTF-8 all the same.
  if (!setlocale(LC_CTYPE, "") && environment_names_utf8()) return platform_assume_utf8();
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

char *platform_copy_text(const char *text) { return strdup(text); }

void platform_free_text(const char *text) { free((void *)text); }
