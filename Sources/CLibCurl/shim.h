#ifndef DAEDALUS_CLIBCURL_SHIM_H
#define DAEDALUS_CLIBCURL_SHIM_H
#include <curl/curl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

/* libcurl's setters and getters are variadic, which Swift cannot call: one typed function for each kind of value.
   The name in brackets keeps the checking macros of typecheck-gcc.h out. */

typedef size_t (*dae_curl_receiver)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*dae_curl_opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*dae_curl_listener)(CURL *handle, curl_infotype kind, char *bytes, size_t count, void *context);

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

/* `list` must outlive the handle's transfer. */
static inline CURLcode dae_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return (curl_easy_setopt)(handle, option, list);
}

static inline CURLcode dae_curl_set_opener(CURL *handle, dae_curl_opener opener, void *context) {
    CURLcode status = (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
    return status != CURLE_OK ? status : (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETDATA, context);
}

static inline CURLcode dae_curl_set_listener(CURL *handle, dae_curl_listener listener, void *context) {
    CURLcode status = (curl_easy_setopt)(handle, CURLOPT_DEBUGFUNCTION, listener);
    if (status == CURLE_OK) status = (curl_easy_setopt)(handle, CURLOPT_DEBUGDATA, context);
    return status != CURLE_OK ? status : (curl_easy_setopt)(handle, CURLOPT_VERBOSE, 1L);
}

static inline CURLMcode dae_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

/* Writes the address in network order, and gives the number of its bytes: 4 or 16, 0 for any other family. The structure
   is followed by as many bytes as `addrlen` says. */
static inline int dae_curl_address(const struct curl_sockaddr *address, unsigned char bytes[16]) {
    const char *start = (const char *)&address->addr;
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        memcpy(bytes, start + offsetof(struct sockaddr_in, sin_addr), 4);
        return 4;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        memcpy(bytes, start + offsetof(struct sockaddr_in6, sin6_addr), 16);
        return 16;
    }
    return 0;
}

/* What libcurl would do itself, but that no child process inherits the socket. */
static inline curl_socket_t dae_curl_open(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline CURLcode dae_curl_get_text(CURL *handle, CURLINFO info, char **value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode dae_curl_get_number(CURL *handle, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode dae_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

#endif
