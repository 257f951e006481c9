// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/panels/detailframe.h"
#include "widgets/journal/journalmodel.h"

class QLabel;
class QPushButton;

namespace lk {

class FactGrid;

/// One step of the journal in full, or what a group of them came to, and the way to take it back.
class JournalDetail final : public DetailFrame
{
    Q_OBJECT

public:
    explicit JournalDetail(QWidget* parent = nullptr);

    /// Empty: none is chosen. undoable: what is not taken back yet. here: what the deployment that
    /// is connected is known by.
    void show(const JournalModel::Steps& steps, const QByteArrayList& undoable,
              const QStringList& here);
    /// Of moments before it nothing is recorded. 0: nothing is at all.
    void setRecordedFrom(qint64 firstMs);
    /// Nothing is undone from there.
    void setPast(bool past) { m_past = past; }

signals:
    void undoWanted(const QByteArrayList& receipts);
    void momentWanted(qint64 tMs); ///< as it was right after the step

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
    qint64 m_momentMs = 0; ///< of the last step
    qint64 m_recordedFromMs = 0;
    bool m_past = false;
};

} // namespace lk
