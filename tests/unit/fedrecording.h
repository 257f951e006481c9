// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/recording/recordfeed.h"
#include "tests/unit/recordings.h"

namespace lk::test {

/// A feed, its writer and its file, in one thread. The server's clock differs from this machine's.
struct Fed
{
    explicit Fed(qint64 offset = 0)
        : offsetMs(offset)
    {
        recording.writer = std::make_unique<RecordWriter>(
            RecordWriter::Setup{recording.path(), recording.retention, &recording.clock});
        feed = std::make_unique<RecordFeed>(recording.writer.get());
    }
    qint64 nowMs() const { return recording.clock.nowMs() + offsetMs; }
    void begin() const { feed->begin(shop, nowMs()); }
    /// place: of a primitive; gone: nullptr.
    void take(quint32 place, StatePtr state) const
    {
        auto changes = std::make_shared<std::vector<StateChange>>();
        changes->push_back({Handle(place, 1), std::move(state)});
        feed->takeChanges(changes, nowMs());
        recording.writer->flush();
    }
    void take(quint32 place, State state) const { take(place, shared(std::move(state))); }
    void pass(qint64 ms)
    {
        recording.clock.advance(ms);
        feed->tick(nowMs());
        recording.writer->flush();
    }

    Recording recording;
    qint64 offsetMs;
    std::unique_ptr<RecordFeed> feed;
};

inline State token(TokenState::Phase phase, qint64 atMs,
                   TokenState::End end = TokenState::End::Gone)
{
    State state = tokenState(phase, 60'000, atMs);
    state.body.get<TokenState>().end = end;
    return state;
}

} // namespace lk::test
