// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// What an action does to a lock or a token that somebody has.
enum class ActionEffect : quint8 {
    None,
    Releases,  ///< a lock, from its owner
    TakesOver, ///< a lock that has expired
    Consumes,  ///< a token, as its redeemer would
    Deletes,   ///< it is gone, whatever it was
};

/// Of an action's id, as it stands in the journal and in the recording.
ActionEffect effectOf(const QByteArray& action);

} // namespace lk
