// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/probe/scanslice.h"
#include "backend/redis/server/capabilities.h"

namespace lk {

/// The probes of one slice, in two steps: the commands for each type, then the commands that their
/// replies require. Pure: the caller sends the commands. Used by one thread at a time.
class SliceProbes final
{
public:
    void reserve(size_t keys) { m_probes.reserve(keys); }
    /// expected: the type is a prediction; the key may be of another type or absent.
    void add(const QByteArray& name, KeyType type, bool expected);
    bool isEmpty() const { return m_probes.empty(); }

    /// Plans the first step. timed: TIME comes before everything else.
    void ask(const ServerVersion& server, bool timed);
    /// The commands of the present step; empty: nothing more to send.
    const std::vector<Command>& commands() const { return m_commands; }
    /// Call it when they were sent; moves the commands into the probes.
    void keepCommands();
    /// Takes the replies to the present step, one for each command. Then commands() returns those
    /// of the next step, or all probes are judged. nowMs is the server time if the replies do not
    /// contain it. With ofOther it is the time of the node whose clock is used for all.
    void take(std::vector<Reply> replies, qint64 nowMs, bool ofOther, const Classifier& classifier);
    /// Whether some probes have only an expected type.
    bool areExpected() const;
    /// Call it after the last step. Returns the names whose expected type the server did not
    /// confirm.
    std::vector<QByteArray> unexpected() const;
    /// Call it after the last step. Moves the results into the slice, except the unexpected ones.
    void moveInto(ScanSlice& slice);
    /// Returns the probes, to be sent one by one.
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
    std::vector<Type> m_types;                    ///< by probe
    std::vector<std::optional<Error>> m_problems; ///< by probe: why it cannot be judged
    std::vector<ProbeResult> m_results;
    std::vector<Command> m_commands; ///< TIME and the probes' until they are kept
    std::vector<size_t> m_ends;      ///< by probe: the end of its commands in m_commands
    qint64 m_shiftMs = 0;            ///< from this node's clock to the one used for all
    bool m_timed = false;
    bool m_further = false; ///< this is the second step
};

} // namespace lk
