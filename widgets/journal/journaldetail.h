// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/panels/detailframe.h"
#include "widgets/journal/journalmodel.h"

class QLabel;
class QPushButton;

namespace lk {

class FactGrid;

/// One step of the journal in full, or the result of a group of steps, with a button to undo it.
class JournalDetail final : public DetailFrame
{
    Q_OBJECT

public:
    explicit JournalDetail(QWidget* parent = nullptr);

    /// Empty if none is chosen. undoable: the receipts that are not undone yet. here: the names of
    /// the connected deployment.
    void show(const JournalModel::Steps& steps, const QByteArrayList& undoable,
              const QStringList& here);
    /// Sets the first recorded moment. 0: nothing is recorded.
    void setRecordedFrom(qint64 firstMs);
    /// In the past, nothing can be undone.
    void setPast(bool past) { m_past = past; }

signals:
    void undoWanted(const QByteArrayList& receipts);
    void momentWanted(qint64 tMs); ///< the moment right after the step

private:
    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_word;
    QLabel* m_text;
    FactGrid* m_facts;
    QPushButton* m_undo;
    QPushButton* m_copy;
    QByteArray m_id; ///< receipt, or group
    QByteArrayList m_undoable;
    QPushButton* m_then;
    qint64 m_momentMs = 0; ///< the moment of the last step
    qint64 m_recordedFromMs = 0;
    bool m_past = false;
};

} // namespace lk
