// SPDX-License-Identifier: Apache-2.0
// Fields that the dictionary does not let through.
#include "tests/session_cases.hpp"

namespace fixaccel::exchange {

const std::vector<SessionCase>& field_cases() {
    static const std::string kOrder = "11=A|55=MSFT|54=1|38=1|40=2|44=1|60=<TIME>";
    static const std::vector<SessionCase> cases = {
        {"14a_BadField",
         {"> 0 999=HI", "< 3 45=2|371=999|372=0|373=0", "> 0 0=HI", "< 3 45=3|371=0|372=0|373=0", "> 0 -1=HI",
          "< 3 45=4|371=-1|372=0|373=0", "> 0 5000=HI", "< 3 45=5|371=5000|372=0|373=0"}},
        {"14b_RequiredFieldMissing",
         {"> D 55=MSFT|54=1|38=1|40=2|44=1|60=<TIME>", "< 3 45=2|371=11|372=D|373=1", "> 1 ",
          "< 3 45=3|371=112|372=1|373=1", "> V 262=R|263=1|264=0|146=1|55=MSFT", "< 3 371=267|372=V|373=1"}},
        {"14c_TagNotDefinedForMsgType", {"> D 41=B|" + kOrder, "< 3 45=2|371=41|372=D|373=2"}},
        {"14d_TagSpecifiedWithoutValue", {"> D 1=|" + kOrder, "< 3 45=2|371=1|372=D|373=4"}},
        {"14e_IncorrectEnumValue",
         {"> D 11=A|55=MSFT|54=Z|38=1|40=2|44=1|60=<TIME>", "< 3 45=2|371=54|372=D|373=5",
          "> D 11=A|55=MSFT|54=1|38=1|40=w|44=1|60=<TIME>", "< 3 45=3|371=40|372=D|373=5"}},
        {"14f_IncorrectDataFormat",
         {"> D 11=A|55=MSFT|54=1|38=+200.00|40=2|44=1|60=<TIME>", "< 3 45=2|371=38|372=D|373=6",
          "> D 11=A|55=MSFT|54=1|38=1|40=2|44=1,5|60=<TIME>", "< 3 45=3|371=44|372=D|373=6",
          "> D 11=A|55=MSFT|54=1|38=1|40=2|44=1|60=yesterday", "< 3 45=4|371=60|372=D|373=6"}},
        {"14g_HeaderBodyTrailerFieldsOutOfOrder",
         {"! {FIX.4.4}35=D|" + kOrder + "|34=2|49=CLIENT1|52=<TIME>|56=SIMULATOR",
          "< 3 45=2|371=34|372=D|373=14",
          "! {FIX.4.4}35=D|55=MSFT|34=3|49=CLIENT1|52=<TIME>|56=SIMULATOR|11=A|54=1|38=1|40=2|44=1|60=<TIME>",
          "< 3 45=3|371=34|372=D|373=14", ">+2 0 "}},
        {"14h_RepeatedTag", {"> D 40=2|" + kOrder, "< 3 45=2|371=40|372=D|373=13"}},
        {"14i_RepeatingGroupCountNotEqual",
         {"> D " + kOrder + "|386=3|336=PRE-OPEN|336=AFTER-HOURS", "< 3 45=2|371=386|372=D|373=16",
          "> V 262=R|263=1|264=0|267=1|269=0|146=3|55=MSFT|55=IBM", "< 3 45=3|371=146|372=V|373=16"}},
        {"15_HeaderAndBodyFieldsOrderedDifferently",
         {"! {FIX.4.4}35=D|56=SIMULATOR|52=<TIME>|49=CLIENT1|34=2|60=<TIME>|44=1|40=2|38=1|54=1|55=MSFT|11=A",
          "< 8 11=A", ">+1 0 "}},
        {"21_RepeatingGroupSpecifierWithValueOfZero", {"> d 320=R|322=S|323=5|55=TBS|454=0", "< 8 34=2"}},
        {"ReverseRoute",
         {"> D 115=JCD|116=CS|11=A|55=MSFT|54=1|38=1|40=w|60=<TIME>", "< 3 128=JCD|129=CS|45=2|371=40|373=5",
          "> D 128=JCD|129=CS|11=A|55=MSFT|54=1|38=1|40=w|60=<TIME>",
          "< 3 115=JCD|116=CS|45=3|371=40|373=5"}},
        // What is empty is not sent back the other way, what is beside it is.
        {"ReverseRouteWithEmptyRoutingTags",
         {"> D 115=|" + kOrder, "< 3 128=-|45=2|371=115|373=4", "> D 128=|" + kOrder,
          "< 3 115=-|45=3|371=128|373=4", "> D 115=JCD|116=|" + kOrder,
          "< 3 128=JCD|129=-|45=4|371=116|373=4", "> D 128=JCD|129=|" + kOrder,
          "< 3 115=JCD|116=-|45=5|371=129|373=4", "> D 115=JCD|116=CS|144=|" + kOrder,
          "< 3 128=JCD|129=CS|145=-|45=6|371=144|373=4", "> D 128=JCD|129=CS|145=|" + kOrder,
          "< 3 115=JCD|116=CS|144=-|45=7|371=145|373=4"}},
        // What the dictionary does not see: a quantity beyond any number is a text of digits to it.
        {"HugeQuantity", {"> D 11=A|55=MSFT|54=1|38=9223372036854775908|40=2|44=1|60=<TIME>", "< 8 11=A"}},
    };
    return cases;
}

}  // namespace fixaccel::exchange
