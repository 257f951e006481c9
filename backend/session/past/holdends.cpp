// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/past/holdends.h"

#include "backend/actions/actioneffect.h"

namespace lk {

namespace {

constexpr qint64 soonMs = 10'000; // the next owner has waited for it, more likely than not
// Until what is not on screen is read again. The clocks that an action is told by may differ.
constexpr qint64 seenWithinMs = 30'000;
constexpr qint64 clockSlackMs = 2000;

bool endsHold(const RecordedEvent& event)
{
    return event.type == EventType::Action && event.detail == QLatin1String("done") &&
           effectOf(event.code) != ActionEffect::None;
}

// An action that succeeded while it was held ended it, however late that was read.
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

HoldEnd endOf(const RecordedHold& hold, const RecordedHold* next,
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
        end.way = next && next->fromMs <= hold.toMs ? Way::TakenOver : Way::Released;
    }
    // Of one that was held before anybody looked it is not known when it was taken.
    if (next && next->fromKnown && next->fromMs - hold.toMs <= soonMs) {
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
    for (size_t i = 0; i < holds.size(); ++i)
        ends.push_back(endOf(holds[i], i + 1 < holds.size() ? &holds[i + 1] : nullptr, events));
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
