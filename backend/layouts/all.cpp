// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/layout.h"

#include <algorithm>
#include <array>

// Every layout there is: a file with its factory, and its line here.
#define LK_LAYOUTS(X)                                                                              \
    X(rollingWindow)                                                                               \
    X(rollingWindowRetry)                                                                          \
    X(resourceConsumer)                                                                            \
    X(redissonRateLimiter)                                                                         \
    X(fixedWindow)                                                                                 \
    X(gate)                                                                                        \
    X(setNxPx)                                                                                     \
    X(setNxTimestamp)                                                                              \
    X(stringToken)                                                                                 \
    X(hashToken)                                                                                   \
    X(reliableList)                                                                                \
    X(circularList)                                                                                \
    X(eventQueue)                                                                                  \
    X(navigationSession)                                                                           \
    X(counter)                                                                                     \
    X(bitmap)                                                                                      \
    X(sortCache)                                                                                   \
    X(weightedSet)                                                                                 \
    X(fixedArray)

namespace lk {

namespace layouts {
#define LK_DECLARE(name) const Layout& name();
LK_LAYOUTS(LK_DECLARE)
#undef LK_DECLARE
} // namespace layouts

std::span<const Layout* const> allLayouts()
{
#define LK_ADDRESS(name) &layouts::name(),
    static const std::array all = {LK_LAYOUTS(LK_ADDRESS)};
#undef LK_ADDRESS
    return all;
}

const Layout* findLayout(const QByteArray& id)
{
    const auto all = allLayouts();
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const Layout* l) { return l->id() == id; });
    return it == all.end() ? nullptr : *it;
}

const Layout* plainestLayout(Kind kind, KeyType type)
{
    const auto all = allLayouts();
    const auto it = std::find_if(all.begin(), all.end(), [&](const Layout* l) {
        return l->kind() == kind && l->isPlainest(type);
    });
    return it == all.end() ? nullptr : *it;
}

QString exampleDeclaration(Kind kind)
{
    for (const Layout* layout : allLayouts()) {
        const QString example = layout->kind() == kind ? layout->exampleDeclaration() : QString();
        if (!example.isEmpty())
            return example;
    }
    return {};
}

QString layoutTitle(const QByteArray& id)
{
    const Layout* layout = findLayout(id);
    return layout ? layout->title() : QString::fromLatin1(id);
}

const std::vector<QByteArray>& probedHashFields()
{
    static const std::vector<QByteArray> fields = [] {
        std::vector<QByteArray> all;
        for (const Layout* layout : allLayouts()) {
            for (QByteArray& field : layout->hashFields()) {
                if (std::find(all.begin(), all.end(), field) == all.end())
                    all.push_back(std::move(field));
            }
        }
        return all;
    }();
    return fields;
}

} // namespace lk
