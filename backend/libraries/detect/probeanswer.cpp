// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/detect/probeanswer.h"

#include <algorithm>
#include <cstring>

namespace lk {

namespace {

// True if the probe asked for that field, so that its absence means that the hash lacks it.
bool isAsked(const Probe& probe, const QByteArray& field)
{
    return std::any_of(probe.asked.begin(), probe.asked.end(), [&](const Command& command) {
        const std::vector<QByteArray>& args = command.args();
        return args.front() == "HMGET" &&
               std::find(args.begin() + 2, args.end(), field) != args.end();
    });
}

bool isSame(const QByteArray& a, const QByteArray& b)
{
    const auto size = size_t(a.size());
    return a.size() == b.size() &&
           (size == 0 || (*a.constData() == *b.constData() &&
                          std::memcmp(a.constData(), b.constData(), size) == 0));
}

// Runs for dozens of fields of every hash. Nearly all differ in length or in their first letter.
std::optional<Reply> fieldsFrom(const Probe& probe, const std::vector<QByteArray>& args)
{
    const std::vector<QByteArray>& names = probe.fieldNames;
    const bool hasAll = hasAllFieldNames(probe);
    const bool hasAllValues = hasAll && probe.fields.size() == names.size();
    const auto hasName = [&](const QByteArray& field) {
        return std::any_of(names.begin(), names.end(),
                           [&](const QByteArray& name) { return isSame(name, field); });
    };
    std::vector<Reply> items(args.size() - 2); // all null
    for (size_t i = 2; i < args.size(); ++i) {
        const QByteArray& field = args[i];
        const auto value = std::find_if(probe.fields.begin(), probe.fields.end(),
                                        [&](const auto& f) { return isSame(f.first, field); });
        if (value != probe.fields.end())
            items[i - 2] = Reply::bulk(value->second);
        else if (!hasAllValues && !(hasAll && !hasName(field)) && !isAsked(probe, field))
            return std::nullopt;
    }
    return Reply::array(std::move(items));
}

} // namespace

bool hasAllFieldNames(const Probe& probe)
{
    return !probe.replies.empty() && probe.length == qint64(probe.fieldNames.size());
}

std::optional<Reply> answerFrom(const Probe& probe, const Command& command)
{
    const auto it = std::find(probe.asked.begin(), probe.asked.end(), command);
    if (it != probe.asked.end())
        return probe.replies[size_t(it - probe.asked.begin())];
    const std::vector<QByteArray>& args = command.args();
    if (probe.type != KeyType::Hash || args.size() < 2 || args[1] != probe.name)
        return std::nullopt;
    if (args.front() == "HLEN" && hasAllFieldNames(probe))
        return Reply::number(probe.length);
    if (args.front() == "HMGET")
        return fieldsFrom(probe, args);
    return std::nullopt;
}

} // namespace lk
