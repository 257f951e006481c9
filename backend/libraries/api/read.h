// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/libraries/api/duejobs.h"
#include "backend/libraries/api/fieldexpiry.h"
#include "backend/libraries/api/layout.h"

namespace lk {

/// One primitive to be read.
struct ReadRequest
{
    Handle handle = noHandle;
    PrimitivePtr primitive;
    StatePtr previous; ///< null on first record
    Depth depth = Depth::Summary;
    bool large = false; ///< it was too big for the short plan the last time
    PayloadRead payloads = PayloadRead::Full;
    bool unchanged = false; ///< see ReadContext
};

/// What reading one primitive has brought.
struct ReadOutcome
{
    Handle handle = noHandle;
    State state;
    bool large = false;                       ///< to be passed in the next request
    PayloadRead payloads = PayloadRead::None; ///< what of them was asked for
    qint64 bytes = 0;                         ///< that the replies brought, without their framing
};

/// The read of one primitive from its commands to its state. It goes further steps by itself where
/// the replies so far call for them (ids, then their hashes) or tell that they were cut. Pure,
/// whoever sends the commands.
class PlannedRead
{
public:
    /// nowMs: server time, as well as it is known.
    PlannedRead(ReadRequest request, qint64 nowMs);

    const ReadRequest& request() const { return m_request; }
    /// Of the present step; none where the layout is not known.
    const std::vector<Command>& commands() const { return m_commands; }

    /// Takes the replies to commands(), one for each. The outcome, which never fails: what cannot
    /// be decoded is a problem state. Nothing: commands() are those of another step now.
    std::optional<ReadOutcome> take(std::span<const Reply> replies, qint64 nowMs);
    /// The outcome from the replies to a probe of its key alone; nothing where these do not
    /// suffice.
    std::optional<ReadOutcome> takeProbe(const Probe& probe) const;

private:
    void plan(qint64 nowMs);
    bool mayHaveFieldExpiry(const ReadOutcome& outcome) const;
    void gather(std::span<const Reply> replies);
    ReadContext contextAt(qint64 nowMs) const;
    ReadOutcome decode(std::span<const Command> commands, std::span<const Reply> replies,
                       qint64 nowMs, bool& wantsLarge) const;

    const Layout* m_layout;
    ReadRequest m_request;
    std::optional<State> m_firstStep; ///< what the first of two steps brought
    std::vector<Command> m_commands;  ///< of the present step
    std::vector<Command> m_asked;     ///< of the steps before it, since the last plan
    std::vector<Reply> m_replies;     ///< to m_asked
    int m_steps = 0;
    qint64 m_bytes = 0;                       ///< of all steps
    std::optional<FieldExpiry> m_fieldExpiry; ///< the last steps, of a hash without a TTL
    std::optional<DueJobs> m_dueJobs;         ///< the last steps, of a queue
    std::optional<ReadOutcome> m_outcome;     ///< with m_dueJobs: all the rest
};

/// The outcome from the replies to a probe of the primitive's main key alone, without a handle, for
/// a table row; nothing where these do not suffice.
std::optional<ReadOutcome> readProbe(const Layout& layout, const PrimitivePtr& primitive,
                                     const Probe& probe);

} // namespace lk
