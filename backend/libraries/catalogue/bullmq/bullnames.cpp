// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/bullmq/bullnames.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/valueshape.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lk {

namespace {

using namespace std::string_view_literals;

constexpr std::array parts{"meta"sv,     "id"sv,        "wait"sv,          "active"sv,
                           "paused"sv,   "delayed"sv,   "prioritized"sv,   "pc"sv,
                           "priority"sv, "completed"sv, "failed"sv,        "waiting-children"sv,
                           "stalled"sv,  "events"sv,    "stalled-check"sv, "marker"sv,
                           "limiter"sv,  "repeat"sv,    "meta-paused"sv};
constexpr std::array jobParts{"lock"sv,      "logs"sv,   "dependencies"sv,
                              "processed"sv, "failed"sv, "unsuccessful"sv};
constexpr std::array groups{"repeat"sv, "de"sv, "metrics"sv, "limiter"sv};

template<size_t N> bool isOneOf(QByteArrayView word, const std::array<std::string_view, N>& words)
{
    const std::string_view text(word.data(), size_t(word.size()));
    return std::any_of(words.begin(), words.end(), [text](std::string_view one) {
        return one.size() == text.size() && one.front() == text.front() && one == text;
    });
}

qsizetype colonBefore(const QByteArray& name, qsizetype end)
{
    return end <= 0 ? -1 : name.lastIndexOf(':', end - 1);
}

// A stem is a prefix and a queue's name.
bool isStem(QByteArrayView stem)
{
    const qsizetype colon = stem.indexOf(':');
    return colon > 0 && colon + 1 < stem.size();
}

bool isJobId(const QByteArray& id)
{
    return wholeNumber(id) || isUuid(id);
}

} // namespace

BullName bullNameOf(const QByteArray& name)
{
    const qsizetype last = colonBefore(name, name.size());
    if (last <= 0 || !isOneOf(QByteArrayView(name).sliced(last + 1), parts) ||
        !isStem(QByteArrayView(name).first(last)))
        return {};
    return {name.left(last), name.mid(last + 1)};
}

std::vector<QByteArray> bullNameParts()
{
    const auto text = [](std::string_view word) {
        return ':' + QByteArray(word.data(), qsizetype(word.size()));
    };
    std::vector<QByteArray> all;
    for (const std::string_view part : parts)
        all.push_back(text(part));
    for (const std::string_view part : jobParts)
        all.push_back(text(part));
    for (const std::string_view group : groups)
        all.push_back(text(group) + ':');
    return all;
}

std::vector<QByteArray> bullOwnersOf(const QByteArray& name)
{
    std::vector<QByteArray> owners;
    const auto add = [&](qsizetype colon) {
        if (colon > 0 && isStem(QByteArrayView(name).first(colon)))
            owners.push_back(name.left(colon));
    };
    const qsizetype last = colonBefore(name, name.size());
    if (last <= 0)
        return owners;
    const QByteArrayView tail = QByteArrayView(name).sliced(last + 1);
    const qsizetype second = colonBefore(name, last);
    if (isOneOf(tail, jobParts))
        add(second); // stem:<id>:lock
    if (!isOneOf(tail, parts) || tail == "id")
        add(last); // stem:<id>, or the counter that numbers them, which proves nothing by itself
    // stem:repeat:<hash>, stem:repeat:<hash>:<time>, stem:metrics:completed:data
    qsizetype colon = second;
    for (int depth = 0; colon > 0 && depth < 3; ++depth) {
        const qsizetype next = name.indexOf(':', colon + 1);
        if (isOneOf(QByteArrayView(name).sliced(colon + 1, next - colon - 1), groups))
            add(colon);
        colon = colonBefore(name, colon);
    }
    return owners;
}

QByteArray bullJobStem(const QByteArray& name, KeyType type)
{
    const qsizetype last = colonBefore(name, name.size());
    const qsizetype second = colonBefore(name, last);
    if (second <= 0)
        return {};
    const QByteArray tail = name.mid(last + 1);
    QByteArray stem;
    if (type == KeyType::Hash && isJobId(tail))
        stem = name.left(last);
    else if ((type == KeyType::String && tail == "lock") ||
             (type == KeyType::List && tail == "logs"))
        stem = name.left(second);
    else if (isOneOf(tail, jobParts) && isJobId(name.mid(second + 1, last - second - 1)))
        stem = name.left(second);
    else if (isOneOf(QByteArrayView(name).sliced(second + 1, last - second - 1), groups))
        stem = name.left(second);
    return isStem(stem) ? stem : QByteArray();
}

QByteArray bullQueueName(const QByteArray& stem)
{
    return stem.mid(stem.lastIndexOf(':') + 1);
}

} // namespace lk
