// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/past/holdends.h"

#include "backend/acting/actioneffect.h"
#include "backend/acting/receipt.h"

#include <algorithm>
#include <optional>

namespace lk {

namespace {

constexpr qint64 holdEndsSoonMs = 10'000; // the next owner probably waited for it
// Time until a primitive off screen is read again. Actions may use another clock.
constexpr qint64 seenWithinMs = 30'000;
constexpr qint64 clockSlackMs = 2000;
// Two reads that arrive together: the later one's hold may begin before the end of the first.
constexpr qint64 readTogetherMs = 1500;

bool endsHold(const RecordedEvent& event)
{
    return event.type == EventType::Action &&
           outcomeFromId(event.detail.toLatin1()) == Outcome::Succeeded &&
           effectOf(event.code) != ActionEffect::None;
}

// A successful action during the hold ended it, however late that was read.
const RecordedEvent* actionOf(const RecordedHold& hold, const std::vector<RecordedEvent>& events)
{
    const RecordedEvent* found = nullptr;
    for (const RecordedEvent& event : events) {
        if (endsHold(event) && event.tMs >= hold.fromMs && event.tMs >= hold.toMs - seenWithinMs &&
            event.tMs <= hold.toMs + clockSlackMs)
            found = &event;
    }
    return found;
}

/// The next owner: of the next recorded hold, or of the first omitted one.
struct Next
{
    QByteArray owner;
    qint64 fromMs = 0;
    bool fromKnown = true;
};

std::optional<Next> nextOf(const std::vector<RecordedHold>& holds, size_t i,
                           const std::vector<RecordedEvent>& events)
{
    const qint64 fromMs = std::max(holds[i].fromMs, holds[i].toMs - readTogetherMs);
    std::optional<Next> next;
    for (size_t j = i + 1; j < holds.size() && !next; ++j) {
        if (holds[j].fromMs >= fromMs)
            next = Next{holds[j].owner, holds[j].fromMs, holds[j].fromKnown};
    }
    const auto omitted = std::ranges::find_if(events, [&](const RecordedEvent& event) {
        return event.type == EventType::HoldsOmitted && event.tMs >= fromMs;
    });
    if (omitted != events.end() && (!next || omitted->tMs < next->fromMs))
        next = Next{omitted->code, omitted->tMs};
    return next;
}

HoldEnd endOf(const RecordedHold& hold, const std::optional<Next>& next,
              const std::vector<RecordedEvent>& events)
{
    using Way = HoldEnd::Way;
    HoldEnd end;
    if (hold.open) {
        end.way = Way::Open;
        return end;
    }
    if (const RecordedEvent* action = actionOf(hold, events)) {
        end.way = Way::ByOperator;
        end.action = *action;
    } else if (!hold.endKnown) {
        return end;
    } else if (hold.leaseEndMs && *hold.leaseEndMs <= hold.toMs) {
        end.way = Way::Expired;
    } else {
        const bool takenOver = hold.takenOver || (next && next->fromMs <= hold.toMs);
        end.way = takenOver ? Way::TakenOver : Way::Released;
    }
    // If it was held before watching began, it is not known when it was taken.
    const qint64 withinMs = end.way == Way::TakenOver ? readTogetherMs : holdEndsSoonMs;
    if (next && next->fromKnown && next->fromMs - hold.toMs <= withinMs) {
        end.next = next->owner;
        end.nextAfterMs = std::max<qint64>(0, next->fromMs - hold.toMs);
    }
    return end;
}

} // namespace

std::vector<HoldEnd> holdEnds(const std::vector<RecordedHold>& holds,
                              const std::vector<RecordedEvent>& events)
{
    std::vector<HoldEnd> ends;
    ends.reserve(holds.size());
    for (size_t i = 0; i < holds.size(); ++i) {
        // Other holders of a shared lock are no successors.
        const bool shared = holds[i].shared && !holds[i].takenOver;
        ends.push_back(endOf(holds[i], shared ? std::nullopt : nextOf(holds, i, events), events));
    }
    return ends;
}

QByteArray holdEndId(HoldEnd::Way way)
{
    switch (way) {
    case HoldEnd::Way::Open:
        return {};
    case HoldEnd::Way::Expired:
        return "expired";
    case HoldEnd::Way::Released:
        return "released";
    case HoldEnd::Way::TakenOver:
        return "taken-over";
    case HoldEnd::Way::ByOperator:
        return "operator";
    case HoldEnd::Way::Unseen:
        break;
    }
    return "unseen";
}

} // namespace lk
