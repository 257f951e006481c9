// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/probe/scanslice.h"
#include "backend/redis/server/capabilities.h"

namespace lk {

/// The probes of one slice in their two steps: what each type tells, then what the replies to that
/// call for. Pure, whoever sends the commands; used by one thread at a time.
class SliceProbes final
{
public:
    void reserve(size_t keys) { m_probes.reserve(keys); }
    /// expected: it may be of another type, or not be there.
    void add(const QByteArray& name, KeyType type, bool expected);
    bool isEmpty() const { return m_probes.empty(); }

    /// Plans the first step. timed: TIME comes before everything else.
    void ask(const ServerVersion& server, bool timed);
    /// Of the present step; none: there is nothing more to ask.
    const std::vector<Command>& commands() const { return m_commands; }
    /// They were sent: the probes keep them.
    void keepCommands();
    /// Takes the replies to the present step, one for each command; then commands() are those of
    /// the next step, or all is judged. nowMs: server time where the replies do not tell it, and of
    /// another node than the one that answers for all that one's, by which all is told.
    void take(std::vector<Reply> replies, qint64 nowMs, bool ofOther, const Classifier& classifier);
    /// Whether some were added whose type is only expected.
    bool areExpected() const;
    /// After the last step: of those the names that the server did not confirm to be of their type.
    std::vector<QByteArray> unexpected() const;
    /// After the last step: gives away what it has, but for the unexpected.
    void moveInto(ScanSlice& slice);
    /// Gives away the probes, to be asked for one by one.
    std::vector<Probe> take() { return std::move(m_probes); }

private:
    bool isTimed() const { return !m_further && m_timed; }
    void read(std::vector<Reply> replies, qint64 nowMs, bool ofOther);
    void askFurther(const Classifier& classifier);
    void judgeAsked(const Classifier& classifier);
    void judge(size_t probe, const Classifier& classifier);

    /// How far the type of a key is known.
    enum class Type : quint8 { Known, Expected, Unexpected };

    std::vector<Probe> m_probes;
    std::vector<Type> m_types;                    ///< of each
    std::vector<std::optional<Error>> m_problems; ///< of each: why it cannot be judged
    std::vector<ProbeResult> m_results;
    std::vector<Command> m_commands; ///< TIME and the probes' until they are kept
    std::vector<size_t> m_ends;      ///< for each probe the end of its own among them
    qint64 m_shiftMs = 0;            ///< from this node's clock to the one by which all is told
    bool m_timed = false;
    bool m_further = false; ///< this is the second step
};

} // namespace lk
