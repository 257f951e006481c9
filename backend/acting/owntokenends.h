// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"
#include "backend/core/state.h"

#include <QHash>

namespace lk {

/// Distinguishes tokens that this console ended from those that other clients ended, which Redis
/// does not record. Pure; times are server milliseconds.
class OwnTokenEnds
{
public:
    /// Records a step of this console.
    void took(const Receipt& receipt);
    /// Corrects the end of a token that is gone, if this console ended it.
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
