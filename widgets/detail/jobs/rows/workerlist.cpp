// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/rows/workerlist.h"

#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"
#include "widgets/detail/jobs/rows/rowstable.h"

#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace lk {

namespace {

QString shown(const QByteArray& bytes)
{
    return bytes.isEmpty() ? QStringLiteral("\u2013") : displayPreview(bytes, 120);
}

RowsModel::Cell aliveCell(const QueueWorker& worker)
{
    if (!worker.alive)
        return {WorkerList::tr("unknown", "whether a worker is alive")};
    return *worker.alive ? RowsModel::Cell{WorkerList::tr("alive", "a worker"), {}, Health::Ok}
                         : RowsModel::Cell{WorkerList::tr("gone", "a worker"), {}, Health::Error};
}

std::vector<RowsModel::Cell> rowOf(const QueueWorker& worker, qint64 nowMs)
{
    const QString dash = QStringLiteral("\u2013");
    const QString seen = worker.lastSeenMs ? WorkerList::tr("%1 ago").arg(formatDuration(
                                                 std::max<qint64>(0, nowMs - *worker.lastSeenMs)))
                                           : dash;
    return {{shown(worker.name)},
            aliveCell(worker),
            {seen, worker.lastSeenMs ? momentText(*worker.lastSeenMs) : QString()},
            {worker.jobs ? QLocale().toString(*worker.jobs) : dash},
            {shown(worker.host)},
            {shown(worker.process)}};
}

} // namespace

WorkerList::WorkerList(QWidget* parent)
    : QWidget(parent)
    , m_summary(new QLabel)
    , m_table(new RowsTable({{tr("Worker"), false, true},
                             {tr("State")},
                             {tr("Heartbeat"), true},
                             {tr("Jobs"), true},
                             {tr("Host"), false, true},
                             {tr("PID"), true}},
                            0))
{
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    m_table->setAccessibleName(tr("Workers"));
    m_table->setObjectName(QStringLiteral("workers"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_summary);
    layout->addWidget(m_table);
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
    std::vector<std::vector<RowsModel::Cell>> rows;
    for (const QueueWorker& worker : queue.workers)
        rows.push_back(rowOf(worker, nowMs));
    m_table->setVisible(!rows.empty());
    m_table->setRows(std::move(rows));
}

} // namespace lk
