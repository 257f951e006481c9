// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/owntokenends.h"

#include "backend/acting/actioneffect.h"

namespace lk {

namespace {

// Longer than it takes to notice that a token is gone; then the entry is of no use any more.
constexpr qint64 keptMs = 10 * 60 * 1000;
constexpr qsizetype fewEnough = 1000;

} // namespace

void OwnTokenEnds::took(const Receipt& receipt)
{
    if (receipt.kind != Kind::Token || receipt.outcome != Outcome::Succeeded)
        return;
    const ActionEffect effect = effectOf(receipt.action);
    if (effect == ActionEffect::Consumes)
        m_ended.insert(receipt.name, {TokenState::End::Consumed, receipt.serverMs});
    else if (effect == ActionEffect::Deletes)
        m_ended.insert(receipt.name, {TokenState::End::Revoked, receipt.serverMs});
    else
        m_ended.remove(receipt.name); // taken back, or another of the same name was issued
    if (m_ended.size() > fewEnough) {
        m_ended.removeIf([&](const auto& it) { return it->atMs < receipt.serverMs - keptMs; });
    }
}

void OwnTokenEnds::apply(State& state)
{
    auto* token = state.body.find<TokenState>();
    if (!token || m_ended.isEmpty())
        return;
    const auto it = m_ended.find(state.primitive->id.name);
    if (it == m_ended.end())
        return;
    if (state.problem)
        return;
    if (token->phase != TokenState::Phase::Gone) {
        if (state.asOfMs > it->atMs)
            m_ended.erase(it); // it is there again: how that one ends is another matter
        return;
    }
    // A token that was never issued has no end of its own: it was cleaned up here.
    if (token->end != TokenState::End::Removed)
        token->end = it->end;
}

} // namespace lk
