// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/rows/workerlist.h"

#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"
#include "widgets/detail/jobs/rows/rowstable.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"

#include <QLabel>
#include <QLocale>

#include <algorithm>
#include <limits>

namespace lk {

namespace {

QString shown(const QByteArray& bytes)
{
    return bytes.isEmpty() ? QStringLiteral("\u2013") : displayPreview(bytes, 120);
}

QString ago(qint64 sinceMs, qint64 nowMs)
{
    return WorkerList::tr("%1 ago").arg(formatDuration(std::max<qint64>(0, nowMs - sinceMs)));
}

QString aliveText(const WorkerRow& row)
{
    const std::optional<bool>& alive = row.worker.alive;
    return !alive   ? WorkerList::tr("unknown", "whether a worker is alive")
           : *alive ? WorkerList::tr("alive", "a worker")
                    : WorkerList::tr("gone", "a worker");
}

QIcon aliveIcon(const WorkerRow& row)
{
    const std::optional<bool>& alive = row.worker.alive;
    return alive ? healthIcon(*alive ? Health::Ok : Health::Error, QGuiApplication::palette())
                 : QIcon();
}

QString beatTip(const WorkerRow& row)
{
    const std::optional<qint64>& seenMs = row.worker.lastSeenMs;
    return seenMs ? momentText(*seenMs) : row.seen;
}

RowColumns<WorkerRow> workerColumns()
{
    return RowColumns<WorkerRow>{
        {.title = WorkerList::tr("Worker"),
         .text = [](const WorkerRow& row) { return shown(row.worker.name); },
         .isMono = always<WorkerRow>},
        {.title = WorkerList::tr("State"), .text = aliveText, .icon = aliveIcon},
        {.title = WorkerList::tr("Heartbeat"),
         .text = &WorkerRow::seen,
         .isNumber = true,
         .tip = beatTip},
        {.title = WorkerList::tr("Jobs"),
         .text =
             [](const WorkerRow& row) {
                 return row.worker.jobs ? QLocale().toString(*row.worker.jobs)
                                        : shown(QByteArray());
             },
         .isNumber = true},
        {.title = WorkerList::tr("Host"),
         .text = [](const WorkerRow& row) { return shown(row.worker.host); },
         .isMono = always<WorkerRow>},
        {.title = WorkerList::tr("PID"),
         .text = [](const WorkerRow& row) { return shown(row.worker.process); },
         .isNumber = true}};
}

} // namespace

WorkerList::WorkerList(QWidget* parent)
    : QWidget(parent)
    , m_summary(new QLabel)
    , m_model(new RowModel<WorkerRow>(workerColumns()))
    , m_table(new RowsTable(m_model, 0))
{
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    m_table->setAccessibleName(tr("Workers"));
    m_table->setObjectName(QStringLiteral("workers"));
    columnIn(this, {}, 4, {m_summary, m_table});
}

bool WorkerList::says(const QueueState& queue)
{
    return queue.workersKnown || !queue.workers.empty();
}

void WorkerList::setQueue(const QueueState& queue, qint64 nowMs)
{
    const auto gone = std::count_if(queue.workers.begin(), queue.workers.end(),
                                    [](const QueueWorker& w) { return w.alive == false; });
    const qint64 waiting = queue.ready.value_or(0);
    QString text;
    if (queue.workers.empty())
        text = waiting > 0 ? tr("No worker is listening, and %Ln job(s) are waiting.", nullptr,
                                int(std::min<qint64>(waiting, std::numeric_limits<int>::max())))
                           : tr("No worker is listening.");
    else if (gone > 0)
        text = tr("%1 of %2 workers are gone.")
                   .arg(QLocale().toString(qint64(gone)),
                        QLocale().toString(qint64(queue.workers.size())));
    else if (!queue.workersKnown)
        text = tr("Only workers with jobs are listed; the library does not list idle ones.");
    m_summary->setText(text);
    m_summary->setVisible(!text.isEmpty());
    const auto any = [&](auto has) {
        return std::any_of(queue.workers.begin(), queue.workers.end(), has);
    };
    m_table->setColumnHidden(2,
                             !any([](const QueueWorker& w) { return w.lastSeenMs.has_value(); }));
    m_table->setColumnHidden(4, !any([](const QueueWorker& w) { return !w.host.isEmpty(); }));
    m_table->setColumnHidden(5, !any([](const QueueWorker& w) { return !w.process.isEmpty(); }));
    std::vector<WorkerRow> rows;
    for (const QueueWorker& worker : queue.workers)
        rows.push_back(
            {worker, worker.lastSeenMs ? ago(*worker.lastSeenMs, nowMs) : shown(QByteArray())});
    m_table->setVisible(!rows.empty());
    m_model->setRows(std::move(rows));
}

} // namespace lk
