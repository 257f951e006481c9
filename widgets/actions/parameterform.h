// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

#include <QWidget>

class QCheckBox;
class QGridLayout;

namespace lk {

class InlineMessage;

/// The fields for the parameters of an action, checked while they are filled in.
class ParameterForm final : public QWidget
{
    Q_OBJECT

public:
    /// items: the chosen rows for a parameter that takes rows. Empty if none are chosen.
    ParameterForm(std::vector<ActionParameter> parameters, const QByteArray& items,
                  QWidget* parent = nullptr);

    void prefill(const QByteArray& name, const QByteArray& value);
    /// The parameter says where the chosen rows are. It is given with them and asked only if other
    /// rows are meant.
    void bindToItems(const QByteArray& name, const QByteArray& value);
    /// The parameter is known for each target and not asked.
    void leaveOut(const QByteArray& name);

    bool hasFields() const;
    /// Returns true if there is something to fill in. Otherwise the plan can be shown at once.
    bool isWorthAsking() const;
    /// Returns true if nothing required is missing and nothing is wrong.
    bool isComplete() const;
    ActionRequest request() const;
    void focusFirst();

signals:
    void changed();

private:
    struct Field
    {
        ActionParameter parameter;
        QWidget* label = nullptr;
        QWidget* editor = nullptr;
        InlineMessage* hint = nullptr;
        QByteArray known; ///< in full, where the editor may show the beginning of a long name
        bool prefilled = false;
        bool leftOut = false;
        bool withItems = false;
    };

    void addField(QGridLayout* grid, const ActionParameter& parameter);
    void addItemsBox(QGridLayout* grid, const ActionParameter& parameter);
    QWidget* makeEditor(const ActionParameter& parameter);
    bool isAsked(const Field& field) const;
    bool isGiven(const Field& field) const;
    bool itemsMeant() const;
    QByteArray valueOf(const Field& field) const;
    QString problemOf(const Field& field) const; ///< empty: none
    void check(const Field& field);
    void onChanged();

    QByteArray m_items;
    QByteArray m_itemsName;
    QCheckBox* m_onlyItems = nullptr; ///< null: none are chosen
    std::vector<Field> m_fields;
};

} // namespace lk
