// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/recordedwords.h"

#include <algorithm>
#include <array>

namespace lk {

namespace {

template<typename Value> struct Word
{
    Value value;
    const char* id;
};

constexpr std::array eventCodes{
    Word{EventCode::Again, "again"},     Word{EventCode::Before, "before"},
    Word{EventCode::Gone, "gone"},       Word{EventCode::Consumed, "consumed"},
    Word{EventCode::Expired, "expired"}, Word{EventCode::Revoked, "revoked"},
    Word{EventCode::Removed, "removed"}};
constexpr std::array gapReasons{
    Word{GapReason::Stopped, "stopped"}, Word{GapReason::Paused, "paused"},
    Word{GapReason::Lost, "lost"},       Word{GapReason::Disk, "disk"},
    Word{GapReason::Crash, "crash"},     Word{GapReason::None, "none"}};

template<typename Words, typename Value> QByteArray idOf(const Words& words, Value value)
{
    const auto it =
        std::ranges::find_if(words, [&](const auto& word) { return word.value == value; });
    return it == words.end() ? QByteArray() : QByteArray(it->id);
}

} // namespace

QByteArray eventCodeId(EventCode code)
{
    return idOf(eventCodes, code);
}

std::optional<EventCode> eventCodeOf(const QByteArray& id)
{
    const auto it =
        std::ranges::find_if(eventCodes, [&](const auto& word) { return id == word.id; });
    return it == eventCodes.end() ? std::nullopt : std::optional(it->value);
}

QByteArray gapReasonId(GapReason reason)
{
    return idOf(gapReasons, reason);
}

GapReason gapReasonOf(const QByteArray& ended)
{
    if (ended.isEmpty())
        return GapReason::Crash;
    const auto it =
        std::ranges::find_if(gapReasons, [&](const auto& word) { return ended == word.id; });
    return it == gapReasons.end() ? GapReason::Stopped : it->value; // written by a later version
}

} // namespace lk
