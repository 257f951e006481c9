// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/probeanswer.h"

#include <algorithm>

namespace lk {

namespace {

// Whether the probe asked for that field, so that its absence among the fields says something.
bool isFieldKnown(const Probe& probe, const QByteArray& field)
{
    const std::vector<QByteArray>& names = probe.fieldNames;
    if (hasAllFieldNames(probe) && std::find(names.begin(), names.end(), field) == names.end())
        return true;
    return std::any_of(probe.asked.begin(), probe.asked.end(), [&](const Command& command) {
        const std::vector<QByteArray>& args = command.args();
        return args.front() == "HMGET" &&
               std::find(args.begin() + 2, args.end(), field) != args.end();
    });
}

std::optional<Reply> fieldsFrom(const Probe& probe, const std::vector<QByteArray>& args)
{
    std::vector<Reply> items;
    items.reserve(args.size() - 2);
    for (size_t i = 2; i < args.size(); ++i) {
        if (!isFieldKnown(probe, args[i]))
            return std::nullopt;
        const QByteArray* value = probe.field(args[i].constData());
        items.push_back(value ? Reply::bulk(*value) : Reply::nil());
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
