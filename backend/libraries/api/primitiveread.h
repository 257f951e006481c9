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
    bool large = false; ///< the short plan was not enough the last time
    PayloadRead payloads = PayloadRead::Full;
    bool unchanged = false; ///< see ReadContext
};

/// The result of reading one primitive.
struct ReadOutcome
{
    Handle handle = noHandle;
    State state;
    bool large = false;                       ///< pass it in the next request
    PayloadRead payloads = PayloadRead::None; ///< which payloads were read
    qint64 bytes = 0;                         ///< size of the replies without their framing
};

/// The read of one primitive from its first commands to its outcome: its layout's read, once more
/// if a large value was cut; then the expiry of a hash's fields, or the overdue jobs of a queue.
/// Pure; the caller sends the commands.
class PrimitiveRead
{
public:
    /// nowMs: estimated server time.
    PrimitiveRead(ReadRequest request, qint64 nowMs);

    const ReadRequest& request() const { return m_request; }
    /// Commands of the current step. Empty if the layout is unknown.
    const std::vector<Command>& commands() const { return m_commands; }

    /// Takes the replies to commands(), one for each, and returns the outcome. It never fails: if
    /// the replies cannot be decoded, the outcome is a problem state. Returns nothing if there is
    /// another step; commands() are then its commands.
    std::optional<ReadOutcome> take(std::span<const Reply> replies, qint64 nowMs);
    /// The outcome from the replies to a probe of its key alone. Nothing if these do not suffice.
    std::optional<ReadOutcome> takeProbe(const Probe& probe);

private:
    void begin();
    bool asksType() const;
    bool mayHaveFieldExpiry(const ReadOutcome& outcome) const;
    std::optional<Result<DecodeResult>> goOn(std::span<const Reply> replies);
    Result<DecodeResult> readAgain(std::span<const Reply> replies);
    ReadOutcome outcomeOf(Result<DecodeResult> reading, bool& wantsLarge) const;
    std::optional<ReadOutcome> withDueJobs(ReadOutcome outcome);

    const Layout* m_layout;
    ReadRequest m_request;
    StatePtr m_firstStep; ///< the state that was decoded from a large value's start
    std::unique_ptr<ReadContext> m_context; ///< of m_read, which refers to it
    std::optional<Read<DecodeResult>> m_read;
    std::vector<Command> m_commands;          ///< the commands of the current step
    std::vector<Command> m_asked;             ///< of a hash: those of the steps before it
    std::vector<Reply> m_replies;             ///< to m_asked
    qint64 m_nowMs = 0;                       ///< server time as of the last replies
    qint64 m_bytes = 0;                       ///< the size of the replies of all steps
    std::optional<FieldExpiry> m_fieldExpiry; ///< the last steps for a hash without a TTL
    std::optional<DueJobs> m_dueJobs;         ///< the last steps for a queue
    std::optional<ReadOutcome> m_outcome;     ///< with m_dueJobs: the outcome so far
};

/// The outcome for a table row from the replies to a probe of the primitive's main key alone,
/// without a handle. Nothing if these do not suffice.
std::optional<ReadOutcome> readProbe(const Layout& layout, const PrimitivePtr& primitive,
                                     const Probe& probe);

} // namespace lk
