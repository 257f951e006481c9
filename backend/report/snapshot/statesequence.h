// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/core/statepacking.h"
#include "backend/report/snapshot/slotowners.h"

#include <algorithm>
#include <functional>

namespace lk {

/// The states of a snapshot in order: by kind, then name, then layout. Each state is made on
/// request, so that they need not all be in memory. Immutable; used by one thread at a time.
class StateSequence
{
public:
    virtual ~StateSequence() = default;
    virtual size_t size() const = 0;
    virtual const Primitive& primitive(size_t at) const = 0;
    virtual StateRank rank(size_t at) const = 0;
    virtual StatePtr state(size_t at) const = 0;

    /// The places of the states of one kind; end is behind the last.
    struct Range
    {
        size_t begin = 0;
        size_t end = 0;
    };
    virtual Range rangeOf(Kind kind) const = 0;
    /// True if the first of two states of one kind comes before the other. Compares their places,
    /// unless the states of a kind are unordered.
    virtual bool isBefore(size_t one, size_t other) const { return one < other; }

    bool empty() const { return size() == 0; }
    /// The cluster nodes of the states. Not known for a past moment.
    const SlotOwners& owners() const { return m_owners; }
    void setOwners(SlotOwners owners) { m_owners = std::move(owners); }
    /// Returns the findings of a single state. Set if these findings are too many to be kept: the
    /// snapshot then has none of them, and they are made on request.
    using Judge = std::function<std::vector<Finding>(const State&)>;
    void setJudge(Judge judge) { m_judge = std::move(judge); }
    /// Calls function for each finding of such a snapshot: those of single states, then the others.
    template<typename Function> void forEachFinding(const Snapshot& of, Function function) const
    {
        for (size_t at = 0; m_judge && at < size(); ++at) {
            for (const Finding& finding : m_judge(*state(at)))
                function(finding);
        }
        for (const Finding& finding : of.findings)
            function(finding);
    }
    /// Returns the number of states of that kind.
    size_t count(Kind kind) const
    {
        const Range range = rangeOf(kind);
        return range.end - range.begin;
    }

private:
    SlotOwners m_owners;
    Judge m_judge;
};

/// A sequence of states that are in memory. Those of each kind keep their given order.
class GatheredStates final : public StateSequence
{
public:
    explicit GatheredStates(std::vector<StatePtr> states)
        : m_states(std::move(states))
    {
        std::stable_sort(m_states.begin(), m_states.end(), [](const auto& a, const auto& b) {
            return a->primitive->kind < b->primitive->kind;
        });
    }

    size_t size() const override { return m_states.size(); }
    const Primitive& primitive(size_t at) const override { return *m_states[at]->primitive; }
    StateRank rank(size_t at) const override
    {
        return {m_states[at]->health, m_states[at]->urgency};
    }
    StatePtr state(size_t at) const override { return m_states[at]; }
    Range rangeOf(Kind kind) const override
    {
        const auto range = std::ranges::equal_range(
            m_states, kind, {}, [](const StatePtr& state) { return state->primitive->kind; });
        return {size_t(range.begin() - m_states.begin()), size_t(range.end() - m_states.begin())};
    }

private:
    std::vector<StatePtr> m_states;
};

} // namespace lk
