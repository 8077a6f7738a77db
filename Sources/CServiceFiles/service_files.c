#include "CServiceFiles.h"

/* What C23 has since, compilers know for longer. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char openapi[] = {
#embed "openapi.json"
    , 0
};

const char *daed_openapi_document(void) { return openapi; }

/* The page. */

static const char index_html[] = {
#embed "page/index.html"
};
static const char style_css[] = {
#embed "page/style.css"
};
static const char icon_svg[] = {
#embed "page/icon.svg"
};
static const char app_js[] = {
#embed "page/app.js"
};
static const char api_js[] = {
#embed "page/api.js"
};
static const char dom_js[] = {
#embed "page/dom.js"
};
static const char format_js[] = {
#embed "page/format.js"
};
static const char session_js[] = {
#embed "page/session.js"
};
static const char list_js[] = {
#embed "page/list.js"
};
static const char add_js[] = {
#embed "page/add.js"
};
static const char labels_js[] = {
#embed "page/labels.js"
};
static const char upload_js[] = {
#embed "page/upload.js"
};
static const char zip_js[] = {
#embed "page/zip.js"
};
static const char events_js[] = {
#embed "page/events.js"
};
static const char asset_js[] = {
#embed "page/asset.js"
};
static const char viewer_js[] = {
#embed "page/viewer.js"
};
static const char findings_js[] = {
#embed "page/findings.js"
};
static const char parts_js[] = {
#embed "page/parts.js"
};

#define FILE_OF_PAGE(name, bytes) { name, bytes, sizeof bytes }

static const daed_page_file files[] = {
    FILE_OF_PAGE("index.html", index_html),
    FILE_OF_PAGE("style.css", style_css),
    FILE_OF_PAGE("icon.svg", icon_svg),
    FILE_OF_PAGE("app.js", app_js),
    FILE_OF_PAGE("api.js", api_js),
    FILE_OF_PAGE("dom.js", dom_js),
    FILE_OF_PAGE("format.js", format_js),
    FILE_OF_PAGE("session.js", session_js),
    FILE_OF_PAGE("list.js", list_js),
    FILE_OF_PAGE("add.js", add_js),
    FILE_OF_PAGE("labels.js", labels_js),
    FILE_OF_PAGE("upload.js", upload_js),
    FILE_OF_PAGE("zip.js", zip_js),
    FILE_OF_PAGE("events.js", events_js),
    FILE_OF_PAGE("asset.js", asset_js),
    FILE_OF_PAGE("viewer.js", viewer_js),
    FILE_OF_PAGE("findings.js", findings_js),
    FILE_OF_PAGE("parts.js", parts_js),
    { NULL, NULL, 0 },
};

const daed_page_file *daed_page_files(void) { return files; }
