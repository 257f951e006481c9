// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordqueries.h"
#include "backend/history/recordwriter.h"
#include "tests/unit/madestates.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace lk::test {

inline const RecordedDeployment shop{
    "redis:shop:6379/0", {"redis:10.0.0.1:6379/0"}, QStringLiteral("shop")};

inline StatePtr shared(State state)
{
    return std::make_shared<State>(std::move(state));
}

/// A recording in a folder of its own, with a clock that stands still.
struct Recording
{
    static constexpr qint64 startMs = 1'700'000'000'000;

    QTemporaryDir folder;
    ManualClock clock{startMs};
    Retention retention;
    std::unique_ptr<RecordWriter> writer;

    QString path() const { return folder.filePath(QStringLiteral("state/history.db")); }

    void open(const RecordedDeployment& deployment = shop)
    {
        writer = std::make_unique<RecordWriter>(RecordWriter::Setup{path(), retention, &clock});
        writer->begin(deployment, clock.nowMs());
    }
    void close()
    {
        writer->stop();
        writer.reset();
    }
    /// Leaves the recording as a killed program would.
    void kill() { writer.reset(); }

    RecordBatch batch() const
    {
        RecordBatch batch;
        batch.deployment = shop.key;
        batch.atMs = clock.nowMs();
        return batch;
    }
    void add(RecordBatch batch)
    {
        writer->add(std::make_shared<RecordBatch>(std::move(batch)));
        writer->flush();
    }
    void addState(State state)
    {
        RecordBatch one = batch();
        one.atMs = state.asOfMs;
        PrimitivePtr primitive = state.primitive;
        one.states.push_back({primitive, state.asOfMs, shared(std::move(state))});
        add(std::move(one));
    }
    void addSample(const PrimitiveId& id, const QByteArray& metric, double value)
    {
        RecordBatch one = batch();
        one.samples.push_back({id, metric, clock.nowMs(), value});
        add(std::move(one));
    }
};

/// An open reader of it.
struct Reading : RecordQueries
{
    explicit Reading(const Recording& recording)
        : RecordQueries(recording.path())
    {
        opened = open();
    }
    Result<void> opened;
};

} // namespace lk::test
