// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/bullmq/bulljobs.h"
#include "backend/libraries/catalogue/bullmq/bullnames.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"

namespace lk {

/// The common base of Bull's and BullMQ's queues. The two differ in their states and in how they
/// are recognized. PrimitiveId::name is the stem, "bull:email".
class BullQueue : public Layout, public KeyHints, public SiblingKeys
{
public:
    Kind kind() const override { return Kind::Queue; }
    std::vector<QByteArray> nameParts(KeyType type) const override;
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override;
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override;
    bool wants(KeyType type) const override;
    bool allowsKeyActions() const override { return false; }
    std::span<const Column> columns() const override;
    std::span<const Metric> metrics() const override;
    bool namesWorkers() const override { return true; }
    std::optional<QByteArray> workerOfClient(const Primitive& primitive,
                                             const QByteArray& clientName) const override;

    Read<DecodeResult> readState(const Primitive& primitive,
                                 const ReadContext& context) const override;
    Read<std::vector<StoredJob>> readJobs(const Primitive& primitive,
                                          JobQuery query) const override;
    Read<JobDetail> readJob(const Primitive& primitive, QByteArray state,
                            QByteArray id) const override;
    QByteArray jobKey(const Primitive& primitive, const QByteArray& state,
                      const QByteArray& id) const override;

protected:
    explicit BullQueue(std::span<const BullState> states)
        : m_states(states)
    {}

    /// Returns the claim of a key that is proven to be that queue's. The main key comes first.
    Claim claimOf(const Probe& probe, const BullName& name, double confidence) const;

    /// meta's fields that are read with each state, after which paused(), and for facts.
    static constexpr const char* metaFields[] = {"version", "paused", "concurrency", "max",
                                                 "duration"};
    /// A separate key for the pause, besides the field in meta. Bull 3 has one. It is read with
    /// EXISTS.
    virtual QByteArray pauseKey(const QByteArray&) const { return {}; }

private:
    std::span<const BullState> m_states;
};

} // namespace lk
