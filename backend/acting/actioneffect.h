// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// The effect of an action on a lock or token that is held.
enum class ActionEffect : quint8 {
    None,
    Releases,  ///< a lock, from its owner
    TakesOver, ///< a lock that has expired
    Consumes,  ///< a token, as its redeemer would
    Deletes,   ///< it is gone, whatever it was
};

/// Returns the effect of an action. action: its id, as in the journal and in the recording.
ActionEffect effectOf(const QByteArray& action);

} // namespace lk
