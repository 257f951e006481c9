// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lk {

// What the recording keeps as one of a few words: the words are in the files and in the JSON of
// `history`, and stay. Pure; any thread.

/// What a RecordedEvent's code says where it is one of a few; else it names something of the user's
/// or the program's: a finding, a rule, a setting, an action, a job's state.
enum class EventCode : quint8 {
    Again,    ///< of PrimitiveSeen: not for the first time
    Before,   ///< of PausedBegan and PausedEnded: it was when it was read first
    Gone,     ///< of PausedEnded: with it; of TokenEnded: nobody knows how
    Consumed, ///< these of TokenEnded
    Expired,
    Revoked,
    Removed,
};
QByteArray eventCodeId(EventCode code); ///< "again"
/// Empty where it is none of these.
std::optional<EventCode> eventCodeOf(const QByteArray& id);

/// Why nobody recorded for a while.
enum class GapReason : quint8 {
    Stopped, ///< the recording was turned off, or its program ended
    Paused,  ///< polling was
    Lost,    ///< there was no connection to the server
    Disk,    ///< the file could not be written
    Crash,   ///< the program that recorded was killed, or crashed
    None,    ///< the recording begins later
};
QByteArray gapReasonId(GapReason reason); ///< "stopped"
/// Of what a file says of the end of a stretch, which is empty where its program did not end it.
GapReason gapReasonOf(const QByteArray& ended);

} // namespace lk
