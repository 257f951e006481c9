// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lk {

// Values that the recording keeps as words. The words appear in the files and in the JSON of
// `history` and must not change. Pure; any thread.

/// The fixed values of RecordedEvent::code. Other events use it for a name: a finding, a rule, a
/// setting, an action, a job's state.
enum class EventCode : quint8 {
    Again,    ///< PrimitiveSeen: not for the first time
    Before,   ///< PausedBegan and PausedEnded: it was paused already when first read
    Gone,     ///< PausedEnded: the queue is gone; TokenEnded: the way is unknown
    Consumed, ///< this and the following: TokenEnded
    Expired,
    Revoked,
    Removed,
};
QByteArray eventCodeId(EventCode code); ///< "again"
/// Returns nullopt if the id is none of these.
std::optional<EventCode> eventCodeOf(const QByteArray& id);

/// Why no program recorded for a while.
enum class GapReason : quint8 {
    Stopped, ///< the recording was turned off, or its program ended
    Paused,  ///< polling was paused
    Lost,    ///< there was no connection to the server
    Disk,    ///< the file could not be written
    Crash,   ///< the program that recorded was killed, or crashed
    None,    ///< the recording begins later
};
QByteArray gapReasonId(GapReason reason); ///< "stopped"
/// Returns the reason from the end of a span as stored in a file. ended is empty if the program did
/// not end the span.
GapReason gapReasonOf(const QByteArray& ended);

} // namespace lk
