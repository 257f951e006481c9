// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "backend/polling/workers/waitingworkers.h"

#include <QWidget>

class QLabel;

namespace lk {

class FactGrid;

/// The clients that wait for a job, as far as the server reports them and as far as the queue
/// allows a conclusion.
class WaitingList final : public QWidget
{
    Q_OBJECT

public:
    explicit WaitingList(QWidget* parent = nullptr);

    /// waiting: null until the server was asked.
    void setWaiting(const WaitingWorkersPtr& waiting, const State& queue);

    /// The sentence above the list. Pure.
    static QString summary(const WaitingWorkersPtr& waiting, const State& queue);

private:
    QLabel* m_summary;
    FactGrid* m_clients;
};

} // namespace lk
