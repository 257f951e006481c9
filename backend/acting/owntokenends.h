// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"
#include "backend/core/state.h"

#include <QHash>

namespace lk {

/// Tells the tokens that this console ended itself from those that others ended: nothing in Redis
/// does. Pure; times are server milliseconds.
class OwnTokenEnds
{
public:
    /// Tells of each step that was taken here.
    void took(const Receipt& receipt);
    /// Corrects how a token that is gone ended, where that was this console's doing.
    void apply(State& state);

private:
    struct Entry
    {
        TokenState::End end = TokenState::End::Revoked;
        qint64 atMs = 0;
    };
    QHash<QByteArray, Entry> m_ended; ///< by name
};

} // namespace lk
