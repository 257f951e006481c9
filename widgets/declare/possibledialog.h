// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "widgets/declare/configdraft.h"

#include <QDialog>
#include <QPointer>

class QLabel;
class QPushButton;
class QTableView;

namespace lk {

class PossibleModel;

/// The keys that may be primitives of one kind. Each can be declared, or ignored. Both write lines
/// into the configuration file and last.
class PossibleDialog final : public QDialog
{
    Q_OBJECT

public:
    PossibleDialog(Session* session, Kind kind, QWidget* parent);

    /// Over the window of that widget; it deletes itself.
    static PossibleDialog* open(Session* session, Kind kind, QWidget* over);

private:
    void update();
    void updateButtons();
    void write(ConfigDraft (*draftOf)(const PossiblePrimitive&));

    QPointer<Session> m_session;
    Kind m_kind;
    PossibleModel* m_model;
    QLabel* m_text;
    QTableView* m_table;
    QPushButton* m_declare;
    QPushButton* m_ignore;
};

} // namespace lk
