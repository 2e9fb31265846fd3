#ifndef CPlatformGzip_H
#define CPlatformGzip_H

// Whole buffers through zlib's gzip format. The caller owns the buffers.

#include <stddef.h>

/// The most bytes that compressing `length` bytes can take.
size_t CPlatform_gzip_bound(size_t length);

/// Compresses into `out`. Returns the compressed length, or 0 when it does not fit.
size_t CPlatform_gzip(const unsigned char *in, size_t length, unsigned char *out, size_t capacity,
                      int level);

/// Compresses one piece of a stream into `out`, from `*in_done` on, which it moves; what was given
/// comes out whole by the end of the piece. Returns the bytes written. `*state` begins as NULL and
/// is freed with the last piece or at a fault; `*outcome` is 0 for more to come of this piece, 1
/// for its end, -1 for a fault.
size_t CPlatform_gzip_piece(void **state, const unsigned char *in, size_t length, size_t *in_done,
                            unsigned char *out, size_t capacity, int level, int is_last,
                            int *outcome);

/// Frees the state of a compression that is given up before its last piece.
void CPlatform_gzip_free(void **state);

/// Expands as much as fits into `out`, from `*in_done` on, which it moves. Returns the bytes
/// written. `*state` begins as NULL and is freed at the end of the stream or at a fault;
/// `*outcome` is 0 for more to come, 1 for the end, -1 for a body that is not gzip.
size_t CPlatform_gunzip(void **state, const unsigned char *in, size_t length, size_t *in_done,
                        unsigned char *out, size_t capacity, int *outcome);

/// Frees the state of a stream that is given up before its end.
void CPlatform_gunzip_free(void **state);

#endif
