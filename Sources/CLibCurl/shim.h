#ifndef DAEDALUS_CLIBCURL_SHIM_H
#define DAEDALUS_CLIBCURL_SHIM_H
#include <curl/curl.h>

/* libcurl's setters and getters are variadic, which Swift cannot call: one typed function for each kind of value.
   The name in brackets keeps the checking macros of typecheck-gcc.h out. */

typedef size_t (*dae_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode dae_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLcode dae_curl_set_number(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode dae_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

/* `buffer` must hold CURL_ERROR_SIZE bytes and outlive the handle. */
static inline CURLcode dae_curl_set_error_buffer(CURL *handle, char *buffer) {
    return (curl_easy_setopt)(handle, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode dae_curl_set_header_receiver(CURL *handle, dae_curl_receiver receiver, void *context) {
    CURLcode status = (curl_easy_setopt)(handle, CURLOPT_HEADERFUNCTION, receiver);
    return status != CURLE_OK ? status : (curl_easy_setopt)(handle, CURLOPT_HEADERDATA, context);
}

static inline CURLcode dae_curl_set_body_receiver(CURL *handle, dae_curl_receiver receiver, void *context) {
    CURLcode status = (curl_easy_setopt)(handle, CURLOPT_WRITEFUNCTION, receiver);
    return status != CURLE_OK ? status : (curl_easy_setopt)(handle, CURLOPT_WRITEDATA, context);
}

static inline CURLcode dae_curl_get_number(CURL *handle, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode dae_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

#endif
