// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/statepacking.h"
#include "backend/core/snapshot.h"
#include "backend/session/snapshot/slotowners.h"

#include <algorithm>
#include <functional>

namespace lk {

/// The states of a snapshot in their order: by kind, then name, then layout. One is made when it is
/// asked for, so that nobody has to keep them all. Unchanging; used by one thread at a time.
class StateSequence
{
public:
    virtual ~StateSequence() = default;
    virtual size_t size() const = 0;
    virtual const Primitive& primitive(size_t at) const = 0;
    virtual StateRank rank(size_t at) const = 0;
    virtual StatePtr state(size_t at) const = 0;

    bool empty() const { return size() == 0; }
    /// Where a cluster has them; of another time it is not known.
    const SlotOwners& owners() const { return m_owners; }
    void setOwners(SlotOwners owners) { m_owners = std::move(owners); }
    /// Tells what one state shows by itself. Set where these findings are too many to be kept: then
    /// the snapshot has none of them, and each is made when it is asked for.
    using Judge = std::function<std::vector<Finding>(const State&)>;
    void setJudge(Judge judge) { m_judge = std::move(judge); }
    /// All findings of such a snapshot, one after the other: those of states by themselves, then
    /// the others.
    template<typename Function> void forEachFinding(const Snapshot& of, Function function) const
    {
        for (size_t at = 0; m_judge && at < size(); ++at) {
            for (const Finding& finding : m_judge(*state(at)))
                function(finding);
        }
        for (const Finding& finding : of.findings)
            function(finding);
    }
    /// How many are of that kind.
    size_t count(Kind kind) const
    {
        size_t n = 0;
        for (size_t at = 0; at < size(); ++at)
            n += primitive(at).kind == kind ? 1 : 0;
        return n;
    }

private:
    SlotOwners m_owners;
    Judge m_judge;
};

/// Of states that are there already, and outlive it.
class GatheredStates final : public StateSequence
{
public:
    explicit GatheredStates(const std::vector<StatePtr>& states)
        : m_states(states)
    {}

    size_t size() const override { return m_states.size(); }
    const Primitive& primitive(size_t at) const override { return *m_states[at]->primitive; }
    StateRank rank(size_t at) const override
    {
        return {m_states[at]->health, m_states[at]->urgency};
    }
    StatePtr state(size_t at) const override { return m_states[at]; }

private:
    const std::vector<StatePtr>& m_states;
};

} // namespace lk
