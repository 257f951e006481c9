// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "backend/polling/workers/waitingworkers.h"

#include <QWidget>

class QLabel;

namespace lk {

class FactGrid;

/// Who waits for an item, as far as the server tells and as far as it can be concluded for the
/// queue that is shown.
class WaitingList final : public QWidget
{
    Q_OBJECT

public:
    explicit WaitingList(QWidget* parent = nullptr);

    /// waiting: null while nobody was asked yet.
    void setWaiting(const WaitingWorkersPtr& waiting, const State& queue);

    /// The sentence above the list. Pure.
    static QString summary(const WaitingWorkersPtr& waiting, const State& queue);

private:
    QLabel* m_summary;
    FactGrid* m_clients;
};

} // namespace lk
