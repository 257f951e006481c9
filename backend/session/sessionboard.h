// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/summary.h"

#include <QObject>

namespace lk {

class BoardSorter;
class SessionSource;
struct CheckSettings;

/// The sorted rows of the board that a session shows, and its sums. Owns a BoardSorter in the
/// worker thread. GUI thread.
class SessionBoard final : public QObject
{
    Q_OBJECT

public:
    /// isPast: a moment arrives at once, and is shown at once.
    SessionBoard(SessionSource& source, const CheckSettings& check, QThread* workerThread,
                 bool isPast);
    ~SessionBoard() override;

    void start();
    void setCheck(const CheckSettings& check);
    const SummaryPtr& summary() const { return m_summary; } ///< null before the first

public slots:
    void setQuery(const lk::BoardQuery& query);
    void setFrozen(bool frozen); ///< the order of the rows stays while a menu or a dialog is open

signals:
    void sorted(const lk::BoardRows& rows);
    void summaryChanged(const lk::SummaryPtr& summary);

private:
    BoardSorter* m_sorter; ///< lives in the worker thread
    SummaryPtr m_summary;
};

} // namespace lk
