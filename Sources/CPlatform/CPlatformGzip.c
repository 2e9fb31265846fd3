#include "CPlatformGzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// 15 bits of window, plus 16 for the gzip wrapping.
enum { windowBits = 15 + 16 };

size_t CPlatform_gzip_bound(size_t length) { return compressBound(length) + 32; }

size_t CPlatform_gzip(const unsigned char *in, size_t length, unsigned char *out, size_t capacity,
                      int level) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (deflateInit2(&stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (unsigned char *)in;
  stream.avail_in = (uInt)length;
  stream.next_out = out;
  stream.avail_out = (uInt)capacity;
  int outcome = deflate(&stream, Z_FINISH);
  size_t written = stream.total_out;
  deflateEnd(&stream);
  return outcome == Z_STREAM_END ? written : 0;
}

void CPlatform_gzip_free(void **state) {
  if (*state == NULL) return;
  deflateEnd((z_stream *)*state);
  free(*state);
  *state = NULL;
}

size_t CPlatform_gzip_piece(void **state, const unsigned char *in, size_t length, size_t *in_done,
                            unsigned char *out, size_t capacity, int level, int is_last,
                            int *outcome) {
  *outcome = -1;
  if (*state == NULL) {
    z_stream *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL) return 0;
    if (deflateInit2(fresh, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      free(fresh);
      return 0;
    }
    *state = fresh;
  }
  z_stream *stream = *state;
  stream->next_in = (unsigned char *)in + *in_done;
  stream->avail_in = (uInt)(length - *in_done);
  stream->next_out = out;
  stream->avail_out = (uInt)capacity;
  int result = deflate(stream, is_last ? Z_FINISH : Z_SYNC_FLUSH);
  *in_done = length - stream->avail_in;
  size_t written = capacity - stream->avail_out;
  if (is_last) {
    *outcome = result == Z_STREAM_END ? 1 : result == Z_OK || result == Z_BUF_ERROR ? 0 : -1;
  } else {
    // Room left over means that all of the piece is out (zlib.h, deflate with a flush).
    *outcome = result != Z_OK && result != Z_BUF_ERROR ? -1 : stream->avail_out == 0 ? 0 : 1;
  }
  if (*outcome < 0 || (is_last && *outcome == 1)) CPlatform_gzip_free(state);
  return written;
}

void CPlatform_gunzip_free(void **state) {
  if (*state == NULL) return;
  inflateEnd((z_stream *)*state);
  free(*state);
  *state = NULL;
}

size_t CPlatform_gunzip(void **state, const unsigned char *in, size_t length, size_t *in_done,
                        unsigned char *out, size_t capacity, int *outcome) {
  *outcome = -1;
  if (*state == NULL) {
    z_stream *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL) return 0;
    if (inflateInit2(fresh, windowBits) != Z_OK) {
      free(fresh);
      return 0;
    }
    *state = fresh;
  }
  z_stream *stream = (z_stream *)*state;
  stream->next_in = (unsigned char *)in + *in_done;
  stream->avail_in = (uInt)(length - *in_done);
  stream->next_out = out;
  stream->avail_out = (uInt)capacity;
  int result = inflate(stream, Z_NO_FLUSH);
  *in_done = length - stream->avail_in;
  size_t written = capacity - stream->avail_out;
  if (result == Z_STREAM_END) {
    *outcome = 1;
    CPlatform_gunzip_free(state);
  } else if (result == Z_OK && (written > 0 || stream->avail_in > 0)) {
    *outcome = 0;
  } else {
    CPlatform_gunzip_free(state);
  }
  return written;
}
