// SPDX-License-Identifier: GPL-3.0-or-later
// A queue of lists for waiting, active and failed jobs, with a sorted set for delayed jobs.
// Consumers take from the right end.
#include "backend/libraries/families/files/filelayout.h"
#include "backend/libraries/families/lists/listedjobs.h"
#include "backend/libraries/families/lists/listqueue.h"

#include <algorithm>

namespace lk {

namespace {

class ListQueueFile final : public FileLayout
{
public:
    using FileLayout::FileLayout;

    ActionList actions() const override { return listQueueActions(); }
    bool bearsOnPayloads(const QByteArray& role) const override { return role == "processing"; }
    std::vector<ConfigField> configFields() const override
    {
        return {{"stuck_after", FieldShape::Duration, &Declaration::stuckAfterMs}};
    }

    // The file defines the keys' names: a missing key is empty.
    std::optional<Claim> classify(const Probe& probe) const override
    {
        std::optional<Claim> claim = FileLayout::classify(probe);
        if (claim) {
            for (KeyRole& key : claim->keys)
                key.assumed = false;
        }
        return claim;
    }

    // Each worker has a list. Its name contains the queue's, but does not follow from it.
    std::function<bool(const QByteArray&)> furtherKeys(const QByteArray& name) const override
    {
        const bool any = std::any_of(file().keys.begin() + 1, file().keys.end(),
                                     [&](const KeyRule& rule) { return isOfWorker(rule); });
        if (!any)
            return nullptr;
        return [this, name](const QByteArray& key) {
            return std::any_of(
                file().keys.begin() + 1, file().keys.end(), [&](const KeyRule& rule) {
                    return isOfWorker(rule) && claims().primitiveOf(rule, key) == name;
                });
        };
    }

    Read<std::vector<StoredJob>> readJobs(const Primitive& primitive, JobQuery query) const override
    {
        return readListJobs(primitive, std::move(query));
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        return listQueueReads(primitive, context);
    }
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        return listQueueRead(primitive, replies, context);
    }

private:
    bool isOfWorker(const KeyRule& rule) const
    {
        const QByteArrayList& known = file().keys.front().names.front().placeholders();
        return std::any_of(rule.names.begin(), rule.names.end(), [&](const NamePattern& pattern) {
            return std::any_of(pattern.placeholders().begin(), pattern.placeholders().end(),
                               [&](const QByteArray& name) { return !known.contains(name); });
        });
    }
};

} // namespace

namespace families {

Family listQueueFamily()
{
    return {"list-queue",
            Kind::Queue,
            {{"ready", {KeyType::List}, true, false},
             {"processing", {KeyType::List}, false, true},
             {"delayed", {KeyType::ZSet}, false, true},
             {"dead", {KeyType::List}, false, true}},
            {},
            {},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<ListQueueFile>(std::move(file));
            }};
}

} // namespace families

} // namespace lk
