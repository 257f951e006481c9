// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/journal.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace lk {

class EmptyState;
class FactGrid;

/// One step of the journal in full, and the way to take it back.
class JournalDetail final : public QWidget
{
    Q_OBJECT

public:
    explicit JournalDetail(QWidget* parent = nullptr);

    /// Null: none is chosen. endpoint: of the server that is connected. undone: it was taken back.
    void show(const JournalEntry* entry, const QString& endpoint, bool undone);

signals:
    void undoWanted(const QByteArray& receipt);

private:
    QStackedLayout* m_stack;
    EmptyState* m_empty;
    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_word;
    QLabel* m_text;
    FactGrid* m_facts;
    QPushButton* m_undo;
    QPushButton* m_copy;
    QByteArray m_receipt;
};

} // namespace lk
