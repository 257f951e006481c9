// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QDialog>
#include <QImage>
#include <QPointer>

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace lk {

class ChartWidget;
class EmptyState;
class LifeModel;
class LockTimeline;
class SeriesFeed;
struct LifeReport;

/// "What happened here": a primitive's life as a readable list below its chart, to copy, to save,
/// and to go to any of its moments.
class LifeDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Null where the session has no recording, or there is no such primitive.
    static LifeDialog* open(Session* session, Handle handle, QWidget* over);

    LifeDialog(Session* session, Handle handle, StatePtr state, QWidget* parent);

    LifeModel& model() { return *m_model; }
    QImage report() const; ///< for a ticket
    QString text() const;
    QString csv() const;

signals:
    void momentWanted(qint64 tMs);

private:
    QWidget* buildHead();
    QWidget* buildChart();
    QWidget* buildButtons();
    void ask();
    void showChosen();
    void showHolds();
    void updateEmpty();
    void restyle();
    qint64 spanMs() const; ///< 0: all
    QString heading() const;
    QString fileStem() const;

    QPointer<Session> m_session;
    const Handle m_handle;
    const StatePtr m_state;  ///< as it was when this was opened
    const qint64 m_momentMs; ///< at which it was opened
    qint64 m_untilMs = 0;
    qint64 m_fromMs = 0;
    LifeModel* m_model;
    QComboBox* m_span;
    QLineEdit* m_filter;
    QTableView* m_table;
    EmptyState* m_empty;
    QLabel* m_count;
    QToolButton* m_save = nullptr;
    SeriesFeed* m_feed;
    ChartWidget* m_chart = nullptr; ///< fed by m_feed; null: the kind has no chart
    LockTimeline* m_timeline = nullptr;
    quint64 m_ticket = 0;
    bool m_asked = false; ///< and not answered
};

} // namespace lk
