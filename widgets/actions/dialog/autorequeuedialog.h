// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"
#include "backend/session/session.h"

#include <QDialog>
#include <QPointer>

class QLabel;
class QMenu;
class QPushButton;

namespace lk {

class FactGrid;
class ParameterForm;

/// Asks once whether this console should requeue stuck jobs: what it does, how often, when it ends.
/// Closes with its session.
class AutoRequeueDialog final : public QDialog
{
    Q_OBJECT

public:
    AutoRequeueDialog(Session* session, PrimitivePtr queue, QWidget* parent);

    /// Opens a dialog over the window of that widget, and over it alone; it deletes itself.
    static AutoRequeueDialog* open(Session* session, PrimitivePtr queue, QWidget* over);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildButtons();
    void refresh();
    void begin();
    qint64 olderThanMs() const;

    QPointer<Session> m_session;
    PrimitivePtr m_queue;
    ParameterForm* m_form;
    FactGrid* m_facts;
    QLabel* m_hint;
    QPushButton* m_turnOn = nullptr;
    QMenu* m_writeModeMenu = nullptr;
    QPushButton* m_begin = nullptr;
};

} // namespace lk
