// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionboard.h"

#include "backend/session/ask.h"
#include "backend/session/board/boardsorter.h"
#include "backend/session/monitor/sessionsource.h"

namespace lk {

SessionBoard::SessionBoard(SessionSource& source, const CheckSettings& check, QThread* workerThread,
                           bool isPast)
    : m_sorter(new BoardSorter(check))
{
    m_sorter->moveToThread(workerThread);
    connect(&source, &SessionSource::deltaReady, m_sorter, &BoardSorter::apply);
    if (isPast)
        connect(&source, &SessionSource::deltaReady, m_sorter, &BoardSorter::everySecond);
    connect(&source, &SessionSource::reported, m_sorter,
            [sorter = m_sorter](const MonitorReport& report) {
                sorter->setNow(report.atMs);
                if (report.scan.complete)
                    sorter->setScanned();
            });
    connect(m_sorter, &BoardSorter::sorted, this, &SessionBoard::sorted);
    connect(m_sorter, &BoardSorter::summarized, this, [this](const SummaryPtr& summary) {
        m_summary = summary;
        emit summaryChanged(m_summary);
    });
}

SessionBoard::~SessionBoard()
{
    QMetaObject::invokeMethod(m_sorter, &BoardSorter::stop);
    m_sorter->deleteLater();
}

void SessionBoard::start()
{
    QMetaObject::invokeMethod(m_sorter, &BoardSorter::start);
}

void SessionBoard::setCheck(const CheckSettings& check)
{
    ask(m_sorter, [check](BoardSorter& sorter) { sorter.setCheck(check); });
}

void SessionBoard::setQuery(const BoardQuery& query)
{
    ask(m_sorter, [query](BoardSorter& sorter) { sorter.setQuery(query); });
}

void SessionBoard::setFrozen(bool frozen)
{
    ask(m_sorter, [frozen](BoardSorter& sorter) { sorter.setFrozen(frozen); });
}

} // namespace lk
