#include "CLibCurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define DAE_CURL_FUNCTIONS(F)                                                                                          \
    F(global_init) F(easy_init) F(easy_cleanup) F(easy_strerror) F(easy_setopt) F(easy_getinfo) F(multi_init)         \
    F(multi_cleanup) F(multi_setopt) F(multi_add_handle) F(multi_remove_handle) F(multi_perform) F(multi_poll)        \
    F(multi_wakeup) F(multi_info_read) F(slist_append) F(slist_free_all) F(url) F(url_dup) F(url_cleanup) F(url_get)  \
    F(url_set) F(url_strerror) F(free) F(getdate)

#define DAE_CURL_MEMBER(name) __typeof__(&curl_##name) name;
static struct { DAE_CURL_FUNCTIONS(DAE_CURL_MEMBER) } curl;

#ifdef __APPLE__
static const char library_name[] = "libcurl.4.dylib";
#else
static const char library_name[] = "libcurl.so.4";
#endif

const char *dae_curl_load(void) {
    void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define DAE_CURL_FIND(name)                                                                                            \
    curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name);                                                  \
    if (!curl.name) return dlerror();
    DAE_CURL_FUNCTIONS(DAE_CURL_FIND)
    CURLcode status = curl.global_init(CURL_GLOBAL_DEFAULT);
    return status == CURLE_OK ? NULL : curl.easy_strerror(status);
}

CURL *dae_curl_easy_init(void) { return curl.easy_init(); }
void dae_curl_easy_cleanup(CURL *handle) { curl.easy_cleanup(handle); }
const char *dae_curl_easy_strerror(CURLcode status) { return curl.easy_strerror(status); }
CURLM *dae_curl_multi_init(void) { return curl.multi_init(); }
void dae_curl_multi_cleanup(CURLM *multi) { curl.multi_cleanup(multi); }
CURLMcode dae_curl_multi_add_handle(CURLM *multi, CURL *handle) { return curl.multi_add_handle(multi, handle); }
CURLMcode dae_curl_multi_remove_handle(CURLM *multi, CURL *handle) { return curl.multi_remove_handle(multi, handle); }
CURLMcode dae_curl_multi_perform(CURLM *multi, int *running) { return curl.multi_perform(multi, running); }
CURLMcode dae_curl_multi_poll(CURLM *multi, int milliseconds) {
    return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}
CURLMcode dae_curl_multi_wakeup(CURLM *multi) { return curl.multi_wakeup(multi); }
CURLMsg *dae_curl_multi_info_read(CURLM *multi, int *left) { return curl.multi_info_read(multi, left); }
struct curl_slist *dae_curl_slist_append(struct curl_slist *list, const char *text) {
    return curl.slist_append(list, text);
}
void dae_curl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }
CURLU *dae_curl_url(void) { return curl.url(); }
CURLU *dae_curl_url_dup(CURLU *url) { return curl.url_dup(url); }
void dae_curl_url_cleanup(CURLU *url) { curl.url_cleanup(url); }
CURLUcode dae_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags) {
    return curl.url_get(url, part, text, flags);
}
CURLUcode dae_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags) {
    return curl.url_set(url, part, text, flags);
}
const char *dae_curl_url_strerror(CURLUcode status) { return curl.url_strerror(status); }
void dae_curl_free(void *text) { curl.free(text); }
time_t dae_curl_getdate(const char *text) { return curl.getdate(text, NULL); }

CURLcode dae_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl.easy_setopt(handle, option, value);
}

CURLcode dae_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl.easy_setopt(handle, option, value);
}

CURLcode dae_curl_set_error_buffer(CURL *handle, char *buffer) {
    return curl.easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

CURLcode dae_curl_set_header_receiver(CURL *handle, dae_curl_receiver receiver, void *context) {
    CURLcode status = curl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, receiver);
    return status != CURLE_OK ? status : curl.easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

CURLcode dae_curl_set_body_receiver(CURL *handle, dae_curl_receiver receiver, void *context) {
    CURLcode status = curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, receiver);
    return status != CURLE_OK ? status : curl.easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

CURLcode dae_curl_set_body_sender(CURL *handle, dae_curl_sender sender, dae_curl_seeker seeker, void *context) {
    CURLcode status = curl.easy_setopt(handle, CURLOPT_READFUNCTION, sender);
    if (status == CURLE_OK) status = curl.easy_setopt(handle, CURLOPT_READDATA, context);
    if (status == CURLE_OK) status = curl.easy_setopt(handle, CURLOPT_SEEKFUNCTION, seeker);
    return status != CURLE_OK ? status : curl.easy_setopt(handle, CURLOPT_SEEKDATA, context);
}

CURLcode dae_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl.easy_setopt(handle, option, value);
}

CURLcode dae_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl.easy_setopt(handle, option, list);
}

CURLcode dae_curl_set_opener(CURL *handle, dae_curl_opener opener, void *context) {
    CURLcode status = curl.easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
    return status != CURLE_OK ? status : curl.easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}

CURLcode dae_curl_set_listener(CURL *handle, dae_curl_listener listener, void *context) {
    CURLcode status = curl.easy_setopt(handle, CURLOPT_DEBUGFUNCTION, listener);
    if (status == CURLE_OK) status = curl.easy_setopt(handle, CURLOPT_DEBUGDATA, context);
    return status != CURLE_OK ? status : curl.easy_setopt(handle, CURLOPT_VERBOSE, 1L);
}

CURLMcode dae_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl.multi_setopt(multi, option, value);
}

int dae_curl_address(const struct curl_sockaddr *address, unsigned char bytes[16]) {
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

curl_socket_t dae_curl_open(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

CURLcode dae_curl_get_text(CURL *handle, CURLINFO info, char **value) {
    return curl.easy_getinfo(handle, info, value);
}

CURLcode dae_curl_get_number(CURL *handle, CURLINFO info, long *value) {
    return curl.easy_getinfo(handle, info, value);
}

CURLcode dae_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl.easy_getinfo(handle, info, value);
}
