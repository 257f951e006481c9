// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/zsetlock.h"

#include <algorithm>

namespace lk {

namespace {

// 32 random bytes.
bool isBase64Of32(QByteArrayView text)
{
    return text.size() == 44 && text.endsWith('=') && text[42] != '=' &&
           std::all_of(text.begin(), text.end() - 1, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '+' || c == '/';
           });
}

} // namespace

namespace layouts {

// Symfony Lock 5.2 and later: several readers, or one writer and the member "__write__".
const Layout& symfonyLock()
{
    static const ZsetLock layout({.id = "symfony-lock",
                                  .title = QT_TRANSLATE_NOOP("lk::Layout", "Symfony lock"),
                                  .scores = {.exclusive = "__write__", .isLock = true},
                                  .isMember = isBase64Of32,
                                  .places = {},
                                  .ttlIsLastEnd = true});
    return layout;
}

} // namespace layouts

} // namespace lk
