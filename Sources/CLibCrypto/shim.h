#ifndef DAEDALUS_CLIBCRYPTO_SHIM_H
#define DAEDALUS_CLIBCRYPTO_SHIM_H
/* The plain functions, which OpenSSL 3 calls deprecated: its newer ones set up providers and read the configuration before
   the first byte, which takes longer than a small file. The hashing itself is the same code. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#endif
