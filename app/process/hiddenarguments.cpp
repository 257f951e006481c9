// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/hiddenarguments.h"

#include "backend/core/redactedname.h"

#include <cstring>

namespace lk {

namespace {

void blank(char* from, const char* to)
{
    if (from < to)
        std::memset(from, '*', size_t(to - from));
}

// Behind the first colon of what stands before the last "@". A password may hold both, so more than
// it may be blanked, never less.
void hidePassword(char* word)
{
    const char* at = std::strrchr(word, '@');
    if (!at)
        return;
    char* start = word;
    if (*word == '-') {
        if (char* equals = std::strchr(word, '='); equals && equals < at)
            start = equals + 1;
    }
    if (char* scheme = std::strstr(start, "://"); scheme && scheme < at)
        start = scheme + 3;
    if (char* colon = std::strchr(start, ':'); colon && colon < at)
        blank(colon + 1, at);
}

// Hides the Sentinels' password, which is an option of the address.
void hideSentinelPassword(char* word)
{
    constexpr const char* option = "sentinel_password=";
    for (char* at = std::strstr(word, option); at; at = std::strstr(at, option)) {
        at += std::strlen(option);
        blank(at, at + std::strcspn(at, "&"));
    }
}

// The value of an option, in the same word or in the next.
void hideValue(const char* option, char* word, char* next)
{
    const size_t length = std::strlen(option);
    if (std::strncmp(word, option, length) != 0)
        return;
    if (word[length] == '=')
        blank(word + length + 1, word + std::strlen(word));
    else if (word[length] == '\0' && next)
        blank(next, next + std::strlen(next));
}

void hideCode(char* name)
{
    blank(name + codeStart(QByteArray::fromRawData(name, qsizetype(std::strlen(name)))),
          name + std::strlen(name));
}

} // namespace

void hideSecrets(int argc, char** argv)
{
    bool token = false;
    int places = 0; // words that are no option, after "token"
    for (int i = 1; i < argc; ++i) {
        char* next = i + 1 < argc ? argv[i + 1] : nullptr;
        hideSentinelPassword(argv[i]);
        hidePassword(argv[i]);
        hideValue("--payload", argv[i], next);
        hideValue("--owner", argv[i], next);
        if (token && argv[i][0] != '-' && ++places >= 2) // the verb is the first
            hideCode(argv[i]);
        token = token || std::strcmp(argv[i], "token") == 0 || std::strcmp(argv[i], "key") == 0;
    }
}

QString shownArgument(const QString& word)
{
    QByteArray bytes = word.toUtf8();
    hideSentinelPassword(bytes.data());
    hidePassword(bytes.data());
    return QString::fromUtf8(bytes);
}

} // namespace lk
